import { send, type SendOptions } from '../request/send.js';
import { ListingError } from './listing-error.js';
import { answeredJson } from './read-answer.js';

/** Of a body: ten times what the longest listing needs. */
const MAX_BYTES = 10_000_000;

/**
 * Asks for a listing: one GET, no redirect.
 *
 * @returns The parsed body of a 200 in JSON.
 * @throws As {@link answeredJson} and {@link send} do; {@link ListingError} of kind `malformed` for a status out of bounds.
 */
export async function askListing(url: string | URL, options: SendOptions, signal: AbortSignal): Promise<unknown> {
  const message = await send(url, options, signal);
  const status = Number(message.statusCode);
  if (status < 200 || status > 599) {
    message.destroy();
    throw new ListingError('malformed', `the status ${String(status)} is not one of HTTP`);
  }
  const get = (name: string): string | null => {
    const value = message.headers[name];
    return typeof value === 'string' ? value : null;
  };
  return answeredJson({ status, headers: { get }, body: message }, MAX_BYTES, signal);
}
