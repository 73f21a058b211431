import { send, type SendOptions } from '../request/send.js';
import { answeredJson } from './read-answer.js';

/** Of a body: ten times what the longest listing needs. */
const MAX_BYTES = 10_000_000;

/**
 * Asks for a listing: one GET, no redirect.
 *
 * @returns The parsed body of a 200 in JSON.
 * @throws As {@link answeredJson} and {@link send} do.
 */
export async function askListing(url: string | URL, options: SendOptions, signal: AbortSignal): Promise<unknown> {
  const message = await send(url, options, signal);
  const get = (name: string): string | null => {
    const value = message.headers[name];
    return typeof value === 'string' ? value : null;
  };
  return answeredJson({ status: Number(message.statusCode), headers: { get }, body: message }, MAX_BYTES, signal);
}
