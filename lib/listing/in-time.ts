import type { HeadersLike } from '../options/headers.js';
import { within } from '../request/deadline.js';
import { inContext, ListingError } from './listing-error.js';

/** The headers for JSON and the credentials. */
export function requestHeaders(given: HeadersLike | undefined, authorization: string | undefined): Headers {
  const headers = new Headers(given);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (authorization !== undefined && !headers.has('authorization')) headers.set('authorization', authorization);
  return headers;
}

/** A request and its time limit. */
export interface ListingRequest {
  /** Its name in messages: `GET http://10.0.0.1:8529/_api/cluster/endpoints`. */
  readonly request: string;
  /** Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a request within its time limit.
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

/** The same for a caller's single request: errors name the request, without any secret of `sent`. */
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
