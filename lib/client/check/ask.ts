import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { within } from '../../request/deadline.js';
import { askListing, type AskOptions } from '../../listing/ask-listing.js';
import type { CheckSettings } from './options.js';

/** The question is ours: it must not make a check without a time limit wait for ever. */
const HANDSHAKE_MS = 2000;

/** How far a request got; filled in while it runs, so that it says so also of a request that fails. */
export interface Progress {
  /** What was under way last. */
  step: 'dns' | 'connect' | 'tls' | 'answer';
  /** Address and port at the other end, once connected; before that nothing. */
  peer: string;
  /** Gets the whole answer, also one that is no listing. */
  readonly onAnswer?: AskOptions['onAnswer'];
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
 * Asks for a listing, on a connection of its own, and fills in how far that got. Not `fetch`, which takes no authority of the
 * caller's and hides how far it got.
 *
 * @throws As {@link askListing} does.
 */
export function askInSteps(
  { url, socketPath }: AskTarget,
  { headers, tls, insecure }: Pick<CheckSettings, 'tls' | 'insecure'> & { readonly headers: Headers },
  signal: AbortSignal,
  progress: Progress,
): Promise<unknown> {
  const onSocket = (socket: Socket): void => {
    socket.once('lookup', (error: Error | null) => {
      if (error === null) progress.step = 'connect';
    });
    socket.once('connect', () => {
      progress.step = url.protocol === 'https:' ? 'tls' : 'answer';
      progress.peer = socketPath ?? `${String(socket.remoteAddress)} ${String(socket.remotePort)}`;
    });
    socket.once('secureConnect', () => (progress.step = 'answer'));
  };
  return askListing(url, { headers, tls, insecure, socketPath, onSocket, onAnswer: progress.onAnswer }, signal);
}

/** Whether something there completes a TLS handshake in a while, whatever its certificate. */
export function speaksTls({ host, port }: Pick<Endpoint, 'host' | 'port'>, signal: AbortSignal): Promise<boolean> {
  const handshake = (limited: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = addAbortSignal(limited, tlsConnect({ host, port, rejectUnauthorized: false }));
      const settle = (speaks: boolean) => (): void => {
        socket.destroy();
        resolve(speaks);
      };
      socket.once('secureConnect', settle(true));
      // However it ends; the error says no more.
      socket.on('error', () => undefined).once('close', settle(false));
    });
  return within(HANDSHAKE_MS, signal, handshake).catch(() => false);
}
