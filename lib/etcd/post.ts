import { type Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { type Agent as HttpsAgent, request as tlsRequest } from 'node:https';

/** Room for some 80,000 keys; bounds what a broken or hostile host can make us hold. */
export const MAX_ANSWER_BYTES = 16_777_216;

/** What a POST is sent with. */
export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: HttpAgent | HttpsAgent;
}

/**
 * Sends a POST; resolves when the head of the response is here. The signal ends it at any time, the body included.
 *
 * A kept connection that the other side has just closed is no failure of the engine: the request goes out once more.
 */
export async function post(options: PostOptions, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const first = send(options, body, signal);
  try {
    return await first.response;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!first.request.reusedSocket || code !== 'ECONNRESET' || signal.aborted) throw error;
    return send(options, body, signal).response;
  }
}

/** The whole body as text. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${String(MAX_ANSWER_BYTES)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(
  { url, headers, agent }: PostOptions,
  body: string,
  signal: AbortSignal,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const request = (url.startsWith('https:') ? tlsRequest : plainRequest)(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  });
  const abort = (): void => {
    request.destroy(signal.reason as Error);
  };
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // Stays for the whole life of the request: an error after the response is told by the response as well.
    request.on('error', reject);
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
    });
  });
  signal.addEventListener('abort', abort);
  request.end(body);
  return { request, response };
}
