import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { hostAndPort, ORDINARY, PATTERNS } from './rules.js';

/** A response to a request for a listing, as received. */
export interface ListingAnswer {
  readonly listing: 'cluster' | 'server';
  /** The host and port that were asked. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** The kinds of a response, each with its entries. */
export interface AnswerKinds {
  /** The texts of the entries, in the order of the list. */
  readonly endpoints: readonly string[];
  /** The endpoints of each kind; none for a kind of the response as a whole. */
  readonly kinds: ReadonlyMap<string, readonly string[]>;
  /** Entries with unknown effects. */
  readonly unknown: readonly string[];
}

const MOST_BYTES = 10_000_000;
const BYTE_ORDER_MARK = '\ufeff';
const DECODED: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The kinds of a response. */
export function kindsOf(answer: ListingAnswer): AnswerKinds {
  const text = textOf(answer);
  const body = parsed(text.replace(BYTE_ORDER_MARK, ''));
  const entries = Array.isArray(body) ? (body as unknown[]) : memberOf(body, 'endpoints');
  if (answer.status !== 200) return ofWhole(refusalOf(answer, body));
  const delivery = deliveryOf(answer, text);
  if (Array.isArray(entries)) return listKinds(entries as unknown[], answer.asked, ofWhole(...delivery));
  return ofWhole(body === undefined ? 'not-json' : 'no-endpoints', ...delivery);
}

function ofWhole(...kinds: readonly string[]): AnswerKinds {
  return { endpoints: [], kinds: new Map(kinds.map((kind) => [kind, []])), unknown: [] };
}

function deliveryOf({ headers }: ListingAnswer, text: string): readonly string[] {
  return [
    ...('transfer-encoding' in headers ? ['chunked'] : []),
    ...(text.startsWith(BYTE_ORDER_MARK) ? ['bom'] : []),
    ...['deflate', 'gzip'].filter((coding) => headers['content-encoding'] === coding),
    ...(String(headers['content-type']).startsWith('text/plain') ? ['text/plain'] : []),
  ];
}

function textOf({ headers, body }: ListingAnswer): string {
  const decode = DECODED[String(headers['content-encoding'])];
  try {
    const bytes = decode === undefined ? body : decode(body, { maxOutputLength: MOST_BYTES });
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Statuses of one kind, whatever the body. */
const STATUSES: Readonly<Record<number, string>> = {
  204: '204',
  400: '404',
  404: '404',
  405: '404',
  500: '500',
  502: '500',
};

/** A status with unknown effects has no kind. */
function refusalOf({ status, headers }: ListingAnswer, body: unknown): string {
  if (status === 503 && 'x-arango-endpoint' in headers) return '503-leader';
  if (status >= 300 && status < 400) return 'redirect';
  return STATUSES[status] ?? `${String(status)}/${String(memberOf(body, 'errorNum'))}`;
}

function listKinds(entries: readonly unknown[], asked: string, whole: AnswerKinds): AnswerKinds {
  const kinds = new Map(whole.kinds);
  const unknown: string[] = [];
  const add = (kind: string, ...about: readonly string[]): void => {
    kinds.set(kind, [...(kinds.get(kind) ?? []), ...about]);
  };
  const endpoints: string[] = [];
  for (const entry of entries) {
    const endpoint = memberOf(entry, 'endpoint');
    const internal = memberOf(entry, 'internal');
    if (typeof internal === 'string') add('internal', internal);
    if (endpoint === null) add('null');
    else if (typeof endpoint === 'string') endpoints.push(endpoint);
    else if (typeof memberOf(entry, 'entrypoint') === 'string') add('entrypoint');
    else unknown.push(JSON.stringify(entry));
  }
  for (const endpoint of endpoints) {
    const found = Object.keys(PATTERNS).filter((kind) => PATTERNS[kind]?.test(endpoint) === true);
    for (const kind of found) add(kind, endpoint);
    if (found.length === 0 && !ORDINARY.test(endpoint)) unknown.push(endpoint);
  }
  if (entries.length < 2) add(entries.length === 0 ? 'empty' : 'one');
  for (const twice of new Set(endpoints.filter((endpoint, index) => endpoints.indexOf(endpoint) !== index))) {
    if (hostAndPort(twice) !== asked) add('duplicate', twice);
  }
  const secure = endpoints.filter((endpoint) => /^(?:ssl|https):/.test(endpoint));
  if (secure.length > 0 && secure.length < endpoints.length) add('mixed-tls', ...secure);
  return { endpoints, kinds, unknown };
}
