import { shown } from '../text/shown.js';
import { readBytes } from './body-bytes.js';
import { ListingError } from './listing-error.js';
import { refusal } from './refusal.js';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/** What is read of an answer: a `Response` of `fetch` has it. */
export interface Answer {
  readonly status: number;
  /** `opaqueredirect` where a fetch hides status and target of a redirect. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * The parsed body of a 200 in JSON.
 *
 * @param maxBytes - The longest body that is read.
 * @throws {@link ListingError} of kind `redirected`, `refused`, `malformed` or `too-large`; what the body's stream throws.
 */
export async function answeredJson(response: Answer, maxBytes: number): Promise<unknown> {
  const { status } = response;
  refuseRedirect(response);
  const type = response.headers.get('content-type');
  if (type === null || !JSON_TYPE.test(type)) {
    if (status !== 200) throw refusal(undefined, status);
    throw new ListingError('malformed', `the content type must be application/json, got ${shown(type)}`);
  }

  const bytes = await readBytes(response.body, maxBytes);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    // Of a refusal the status says enough.
    if (status === 200) throw new ListingError('malformed', 'the body is not JSON in UTF-8', {}, { cause });
  }
  if (status !== 200) throw refusal(body, status);
  return body;
}

function refuseRedirect({ status, type, headers }: Answer): void {
  // A fetch that follows its standard to the letter hides status and target of a redirect.
  if (!REDIRECTS.has(status) && type !== 'opaqueredirect') return;
  const location = headers.get('location');
  const target = location === null ? 'elsewhere' : `to ${shown(location.replace(/[?#].*/s, ''))}`;
  throw new ListingError('redirected', `the answer is a redirect ${target}, which is not followed`, { code: status });
}
