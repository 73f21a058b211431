import type { IncomingMessage } from 'node:http';
import type { HeadersLike } from '../options/headers.js';
import { within } from '../request/deadline.js';
import { bytesOf, send, type SendOptions } from '../request/send.js';
import { inContext, ListingError } from './listing-error.js';
import { answeredJson, tooLarge, type ParseBody } from './read-answer.js';

/** How to request a listing. */
export interface AskOptions extends SendOptions {
  /** Receives every response with its whole body, even if it is not a listing. */
  readonly onAnswer?: ((message: IncomingMessage, body: Uint8Array) => void) | undefined;
  readonly parse?: ParseBody | undefined;
}

/** Ten times the size of the longest listing. */
const MAX_BYTES = 10_000_000;

/**
 * Requests a listing: one GET, no redirect.
 *
 * @returns The parsed body of a 200 in JSON.
 * @throws As {@link answeredJson} and {@link send} do.
 */
export async function askListing(url: string | URL, options: AskOptions, signal: AbortSignal): Promise<unknown> {
  const message = await send(url, options, signal);
  const get = (name: string): string | null => {
    const value = message.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const status = Number(message.statusCode);
  const { onAnswer, parse } = options;
  if (onAnswer === undefined)
    return answeredJson({ status, headers: { get }, body: message }, MAX_BYTES, signal, parse);
  const body = await bytesOf(message, MAX_BYTES, tooLarge(MAX_BYTES), { signal });
  onAnswer(message, body);
  return answeredJson({ status, headers: { get }, body: whole(body) }, MAX_BYTES, signal, parse);
}

async function* whole(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(body);
}

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
