import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { TlsSettings } from '../options/tls.js';
import { onAbort } from './deadline.js';

/** The options of a request. */
export interface SendOptions {
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** The body of a POST; without it, the request is a GET. */
  readonly body?: string;
  /** Default: a connection of its own. */
  readonly agent?: Agent;
  readonly tls?: TlsSettings | undefined;
  /** Whether to accept any certificate. Default false. */
  readonly insecure?: boolean;
  /** The socket file to connect to instead of the URL's host. */
  readonly socketPath?: string | undefined;
  /** Receives the socket before it connects. */
  readonly onSocket?: (socket: Socket) => void;
}

/** Interim responses, such as `103 Early Hints`. Node limits the bytes of each, but not their number. */
const MAX_INTERIM = 20;
const SWITCHED = 'the server switches to another protocol, unasked (101)';

/**
 * Sends one request and resolves with the head of the response. Follows no redirect. The signal ends it at any time, even during the body.
 * The global `fetch` would do, but accepts no certificates.
 *
 * If the other side has just closed a kept connection, it sends the request once more.
 *
 * @throws The errors of Node's sockets and HTTP parser; Error if the connection ends in another way; the reason of `signal`.
 */
export async function send(url: string | URL, options: SendOptions, signal: AbortSignal): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const first = started(url, options, signal);
  try {
    return await first.response;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!first.request.reusedSocket || code !== 'ECONNRESET' || signal.aborted) throw error;
    return started(url, options, signal).response;
  }
}

function started(
  url: string | URL,
  { headers, body, agent, tls, insecure, socketPath, onSocket }: SendOptions,
  signal: AbortSignal,
): { readonly request: ClientRequest; readonly response: Promise<IncomingMessage> } {
  const isTls = String(url).startsWith('https:');
  // Through the module object, whose function mocks and tracers replace.
  const request = (isTls ? https : http).request(url, {
    agent: agent ?? false,
    method: body === undefined ? 'GET' : 'POST',
    headers: headers instanceof Headers ? Object.fromEntries(headers) : headers,
    ...(socketPath !== undefined && { socketPath }),
    ...(isTls && { ...tls, rejectUnauthorized: insecure !== true, ALPNProtocols: ['http/1.1'] }),
  });
  if (onSocket !== undefined) request.once('socket', onSocket);
  const release = onAbort(signal, () => {
    request.destroy(signal.reason as Error);
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (message: string): void => {
      reject(new Error(message));
      request.destroy();
    };
    request.once('response', (message) => {
      // Without the headers of a switch, Node takes it for a response with an endless body.
      if (message.statusCode === 101) fail(SWITCHED);
      else resolve(message);
    });
    request.once('upgrade', (_message, socket) => {
      socket.destroy();
      fail(SWITCHED);
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) fail(`more than ${String(MAX_INTERIM)} answers before the answer`);
    });
    // Stays for the whole request, because an error of the body is reported on the response as well.
    request.on('error', reject);
    request.once('close', () => {
      release();
      // Node may report no error for the end; after a response this has no effect.
      reject(new Error('the connection was closed without an answer'));
    });
  });
  request.end(body);
  return { request, response };
}
