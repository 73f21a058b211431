import type { IncomingMessage } from 'node:http';
import { bytesOf } from '../request/bounded-body.js';
import { send, type SendOptions } from '../request/send.js';
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
  const body = await bytesOf(message, MAX_BYTES, tooLarge(MAX_BYTES));
  onAnswer(message, body);
  return answeredJson({ status, headers: { get }, body: whole(body) }, MAX_BYTES, signal, parse);
}

async function* whole(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(body);
}
