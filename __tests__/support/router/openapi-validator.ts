import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A response as it was on the wire, and the operation that it answers. */
export interface WireResponse {
  /** The path as the description has it: `/_db/{database}/_api/endpoint`. */
  readonly path: string;
  readonly method: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, object>> }>>;
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}

/** What an OpenAPI 3.1 document says of responses. */
export interface OpenApiValidator {
  /** What is wrong with a response by the document; nothing when it is as described. */
  problems(response: WireResponse): string[];
  /** The bodies that the document gives as examples of such a response, as JSON text. */
  examples(operation: Pick<WireResponse, 'path' | 'method' | 'status'>): string[];
}

/** Checks responses against the operations of a document: status, media type, headers and body. */
export function createOpenApiValidator(document: object): OpenApiValidator {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  ajv.addKeyword({ keyword: 'x-member-order', type: 'object', schemaType: 'array', validate: isInOrder });
  // To Ajv the whole document is a schema, whose own members say nothing.
  ajv.addVocabulary([...Object.keys(document), 'discriminator']);
  ajv.addSchema(document, 'document');

  /** The pointer of a value, behind all references, and the value. */
  function at(...path: string[]): { pointer: string[]; value: unknown } {
    let value: unknown = document;
    let pointer: string[] = [];
    for (const name of path) {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
      pointer = [...pointer, name];
      const reference = referenceIn(value);
      if (reference !== undefined) ({ pointer, value } = at(...reference));
    }
    return { pointer, value };
  }

  function schemaProblems(pointer: string[], value: unknown): string[] {
    const fragment = pointer.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate: ValidateFunction | undefined = ajv.getSchema(['document#', ...fragment].join('/'));
    if (validate === undefined) throw new Error(`no schema at ${pointer.join(' ')}`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`.trim());
  }

  function described({ path, method, status }: Pick<WireResponse, 'path' | 'method' | 'status'>): {
    pointer: string[];
    value: ResponseObject;
  } {
    const responses = ['paths', path, method.toLowerCase(), 'responses'];
    for (const key of [String(status), `${String(status).charAt(0)}XX`, 'default']) {
      const { pointer, value } = at(...responses, key);
      if (typeof value === 'object' && value !== null) return { pointer, value };
    }
    throw new Error(`${method} ${path} has no status ${String(status)}`);
  }

  function headerProblems(pointer: string[], { headers }: WireResponse): string[] {
    const { value } = at(...pointer, 'headers');
    return Object.keys(value ?? {}).flatMap((name) => {
      const header = at(...pointer, 'headers', name);
      const { required = false, schema } = header.value as HeaderObject;
      const text = headers[name.toLowerCase()];
      if (text === undefined) return required ? [`header ${name}: is missing`] : [];
      const sent = schema.type === 'integer' ? Number(text) : text;
      return schemaProblems([...header.pointer, 'schema'], sent).map((problem) => `header ${name}: ${problem}`);
    });
  }

  function bodyProblems(
    pointer: string[],
    content: ResponseObject['content'],
    { headers, body }: WireResponse,
  ): string[] {
    if (content === undefined) return body === '' ? [] : ['body: there must be none'];
    const mediaType = (headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    if (!Object.hasOwn(content, mediaType)) return [`header Content-Type: ${mediaType} is not described`];
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return ['body: is not JSON'];
    }
    return schemaProblems([...pointer, 'content', mediaType, 'schema'], value).map((problem) => `body: ${problem}`);
  }

  return {
    problems(response) {
      const { pointer, value } = described(response);
      return [...headerProblems(pointer, response), ...bodyProblems(pointer, value.content, response)];
    },
    examples(operation) {
      const { pointer } = described(operation);
      const { value } = at(...pointer, 'content', 'application/json', 'examples');
      return Object.values(value ?? {}).map((example: { value: unknown }) => JSON.stringify(example.value));
    },
  };
}

function referenceIn(value: unknown): string[] | undefined {
  const reference: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '$ref') : undefined;
  // A schema may have more beside its reference, and Ajv follows those by itself.
  if (typeof reference !== 'string' || reference.startsWith('#/components/schemas/')) return undefined;
  return reference.slice(2).split('/');
}

function isInOrder(names: readonly string[], object: object): boolean {
  return Object.keys(object).join() === names.join();
}
