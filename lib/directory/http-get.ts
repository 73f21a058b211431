import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TlsSettings } from '../options/tls.js';

/** What a GET is sent with. */
export interface GetOptions {
  readonly headers: Headers;
  readonly tls: TlsSettings | undefined;
}

/**
 * Sends a GET over a connection of its own; resolves when the head of the response is here. Follows no redirect. The signal
 * ends it at any time, the body included.
 *
 * The global `fetch` would do, but takes no certificates.
 */
export function httpGet(url: string, { headers, tls }: GetOptions, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? tlsRequest : plainRequest;
    const request: ClientRequest = send(url, { agent: false, headers: Object.fromEntries(headers), ...tls });
    const abort = (): void => {
      request.destroy(signal.reason as Error);
    };
    request.once('response', resolve);
    // Stays for the whole life of the request: the response reports an error of its body as well.
    request.on('error', reject);
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
      // A switch of protocols nobody asked for ends in no error of Node's; after a response this changes nothing.
      reject(new Error('the connection was closed without an answer'));
    });
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    request.end();
  });
}
