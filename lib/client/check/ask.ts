import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { answeredJson } from '../read-answer.js';
import type { CheckSettings } from './options.js';

const MAX_BYTES = 10_000_000;

/** How far a request got; filled in while it runs, so that it says so also of a request that fails. */
export interface Progress {
  /** What was under way last. */
  step: 'dns' | 'connect' | 'tls' | 'answer';
  /** Address and port at the other end, once connected; before that nothing. */
  peer: string;
}

/** Where to ask, and by which way. */
export interface AskTarget {
  readonly url: URL;
  /** The socket file to connect to instead of the host of the url. */
  readonly socketPath?: string;
  /** Whether no name has to be resolved. */
  readonly isAddress: boolean;
}

/**
 * Asks for a listing: one GET on a connection of its own, no redirect. Not `fetch`, which takes no authority of the caller's
 * and hides how far it got.
 *
 * @returns The parsed body of a 200 in JSON.
 * @throws What {@link answeredJson} throws, and the errors of Node's sockets and HTTP parser.
 */
export async function askListing(
  { url, socketPath }: AskTarget,
  headers: Headers,
  { tls, insecure }: Pick<CheckSettings, 'tls' | 'insecure'>,
  signal: AbortSignal,
  progress: Progress,
): Promise<unknown> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const request = (isTls ? httpsRequest : httpRequest)(url, {
      agent: false,
      headers: Object.fromEntries(headers),
      signal,
      ...(socketPath !== undefined && { socketPath }),
      ...(isTls && { ...tlsParameters(tls), rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] }),
    });
    request.on('socket', (socket: Socket) => {
      socket.once('lookup', (error: Error | null) => {
        if (error === null) progress.step = 'connect';
      });
      socket.once('connect', () => {
        progress.step = isTls ? 'tls' : 'answer';
        progress.peer = socketPath ?? `${String(socket.remoteAddress)} ${String(socket.remotePort)}`;
      });
      socket.once('secureConnect', () => (progress.step = 'answer'));
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
  return answeredJson(
    { status: Number(answer.statusCode), headers: { get: (name) => headerOf(answer, name) }, body: answer },
    MAX_BYTES,
    signal,
  );
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function tlsParameters(tls: CheckSettings['tls']): object {
  if (tls === undefined) return {};
  const { secureContext, servername } = tls;
  return { secureContext, ...(servername !== undefined && { servername }) };
}

/** Whether something there completes a TLS handshake, whatever its certificate. */
export function speaksTls({ host, port }: Pick<Endpoint, 'host' | 'port'>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    // A signal that has aborted already destroys it, too.
    const socket = addAbortSignal(signal, tlsConnect({ host, port, rejectUnauthorized: false }));
    const settle = (speaks: boolean) => (): void => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', settle(true));
    socket.on('error', settle(false));
  });
}
