import { bytesOf } from '../request/bounded-body.js';
import { shown } from '../text/shown.js';
import { ListingError, refused } from './listing-error.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A listing has 3 levels. Node needs seconds for a few million. */
const MAX_LEVELS = 100;
const [QUOTE, BACKSLASH, BRACKET, CLOSING_BRACKET, BRACE, CLOSING_BRACE] = Buffer.from('"\\[]{}');
const NO_BYTES = new Uint8Array();
const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/** The parts of a response that are read: a `Response` of `fetch` has them. */
export interface ReadableAnswer {
  readonly status: number;
  /** `opaqueredirect` if a fetch hides the status and the target of a redirect. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * The parsed body of a 200 in JSON.
 *
 * @param maxBytes - The longest body to read.
 * @param signal - Also ends the reading of a body that ignores it.
 * @param parse - See {@link createParseOnce}.
 * @throws {@link ListingError} of kind `redirected`, `refused`, `malformed` or `too-large`; what the body's stream throws.
 */
export async function answeredJson(
  response: ReadableAnswer,
  maxBytes: number,
  signal: AbortSignal,
  parse: ParseBody = parsedBody,
): Promise<unknown> {
  const { status } = response;
  refuseRedirect(response);
  if (status < 200 || status > 599) {
    throw new ListingError('malformed', `the status ${String(status)} is not one of HTTP`);
  }
  const type = response.headers.get('content-type');
  if (!JSON_TYPE.test(String(type))) {
    if (status !== 200) throw refused(undefined, status);
    throw new ListingError('malformed', `the content type must be application/json, got ${shown(type)}`);
  }

  const { body } = response;
  const reading = { signal, like: parse.like };
  const bytes = body === null ? NO_BYTES : await bytesOf(body, maxBytes, tooLarge(maxBytes), reading);
  const json = parse(bytes);
  // For a refusal, the status says enough.
  if (status !== 200) throw refused(json instanceof ListingError ? undefined : json, status);
  if (json instanceof ListingError) throw json;
  return json;
}

/** Creates the error for a longer body. */
export function tooLarge(maxBytes: number): () => ListingError {
  return () => new ListingError('too-large', `the body is longer than ${String(maxBytes)} bytes`);
}

/** Parses the bytes of a body, or says what is wrong with them. */
export interface ParseBody {
  (bytes: Uint8Array): unknown;
  /** What most bodies are like. */
  like?: Uint8Array;
}

/** The number of bodies that are remembered. */
const REMEMBERED_BODIES = 4;

/** Creates a way to parse many bodies of which most are alike: what has the bytes of one of the first few is not parsed again. */
export function createParseOnce(): ParseBody {
  const known: { readonly bytes: Uint8Array; readonly json: unknown }[] = [];
  const parse: ParseBody = (bytes) => {
    const same = known.find((one) => Buffer.compare(one.bytes, bytes) === 0);
    if (same !== undefined) return same.json;
    const json = parsedBody(bytes);
    if (known.length < REMEMBERED_BODIES) known.push({ bytes, json });
    parse.like ??= bytes;
    return json;
  };
  return parse;
}

function parsedBody(bytes: Uint8Array): unknown {
  if (isNestedDeeperThan(MAX_LEVELS, bytes)) {
    const levels = `the body has more than ${String(MAX_LEVELS)} levels of arrays and objects`;
    return new ListingError('malformed', levels);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    return new ListingError('malformed', 'the body is not JSON in UTF-8', {}, { cause });
  }
}

function refuseRedirect({ status, type, headers }: ReadableAnswer): void {
  // A standard fetch hides the status and the target of a redirect.
  if (!REDIRECTS.has(status) && type !== 'opaqueredirect') return;
  const location = headers.get('location');
  const target = location === null ? 'elsewhere' : `to ${shown(location.replace(/[?#].*/s, ''))}`;
  throw new ListingError('redirected', `the answer is a redirect ${target}, which is not followed`, { code: status });
}

/** Whether a JSON text nests arrays and objects deeper than `levels`. */
function isNestedDeeperThan(levels: number, json: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) place += byte === BACKSLASH ? 1 : 0;
    else if (byte === BRACKET || byte === BRACE) depth += 1;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
