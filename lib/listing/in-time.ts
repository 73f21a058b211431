import type { HeadersLike } from '../options/headers.js';
import { within } from '../request/deadline.js';
import { inContext, ListingError } from './listing-error.js';

/** The headers that ask for JSON, and as whom. */
export function requestHeaders(given: HeadersLike | undefined, authorization: string | undefined): Headers {
  const headers = new Headers(given);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (authorization !== undefined && !headers.has('authorization')) headers.set('authorization', authorization);
  return headers;
}

/** Which request has how much time. */
export interface ListingRequest {
  /** How messages call it: `GET http://10.0.0.1:8529/_api/cluster/endpoints`. */
  readonly request: string;
  /** Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs the work of a request within its time.
 *
 * @throws {@link ListingError} of kind `timeout`; what the work throws; the reason of `signal`.
 */
export function inTime<T>(
  { request, timeoutMs, signal }: ListingRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = (): Error =>
    new ListingError('timeout', `${request}: no complete answer within ${String(timeoutMs)} ms`);
  return within(timeoutMs, signal, work, late);
}

/** The same for a caller's one request: what fails says which request it was, with nothing secret of what was `sent`. */
export function inTimeAndContext<T>(
  given: ListingRequest,
  sent: Headers,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return inTime(given, async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      throw inContext(given.request, error, sent);
    }
  });
}
