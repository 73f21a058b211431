import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { within } from '../../request/deadline.js';
import { askListing, type AskOptions } from '../../listing/ask-listing.js';
import { ListingError } from '../../listing/listing-error.js';
import type { CheckSettings } from './options.js';

/** Our own probe: it must not hang a check without a time limit. */
const HANDSHAKE_MS = 2000;

/** How far a request got; filled in while it runs, and so also for one that fails. */
export interface Progress {
  /** The last step that began. */
  step: 'dns' | 'connect' | 'tls' | 'answer';
  /** Address and port at the other end, once connected; before that nothing. */
  peer: string;
  /** Receives the whole response, even if it is not a listing. */
  readonly onAnswer?: AskOptions['onAnswer'];
}

/** The server, and how to reach it. */
export interface AskTarget {
  readonly url: URL;
  /** The socket file to connect to instead of the URL's host. */
  readonly socketPath?: string;
  /** Whether no name has to be resolved. */
  readonly isAddress: boolean;
}

/**
 * Requests a listing on a new connection, and records how far that got. `fetch` accepts no CA certificates and hides how far it got.
 *
 * @throws As {@link askListing} does; a `ListingError` of the kind `unreachable` if the server answers only with TLS.
 */
export async function askInSteps(
  { url, socketPath }: AskTarget,
  {
    headers,
    tls,
    insecure,
    parse,
  }: Pick<CheckSettings, 'tls' | 'insecure'> & Pick<AskOptions, 'parse'> & { readonly headers: Headers },
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
  const options = { headers, tls, insecure, parse, socketPath, onSocket, onAnswer: progress.onAnswer };
  try {
    return await askListing(url, options, signal);
  } catch (error) {
    const isPlain = url.protocol === 'http:' && socketPath === undefined && progress.step === 'answer';
    if (!isPlain || signal.aborted || !mayBeTls(error) || !(await speaksTls(url, signal))) throw error;
    throw new ListingError(
      'unreachable',
      `the server answers only with TLS: try https://${url.host}`,
      {},
      { cause: error },
    );
  }
}

/** A TLS server that gets a plain request hangs up, sends an alert or, as proxies do, responds with 400. */
function mayBeTls(error: unknown): boolean {
  return !(error instanceof ListingError) || (error.code === 400 && error.errorNum === undefined);
}

/** Whether a TLS handshake completes in a short time, with any certificate. */
function speaksTls({ hostname, port }: URL, signal: AbortSignal): Promise<boolean> {
  const to = {
    host: hostname.replace(/^\[|\]$/g, ''),
    // 0 without a port: at 80, nothing answers only with TLS.
    port: Number(port),
    rejectUnauthorized: false,
  };
  const handshake = (limited: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = addAbortSignal(limited, tlsConnect(to));
      const settle = (speaks: boolean) => (): void => {
        socket.destroy();
        resolve(speaks);
      };
      socket.once('secureConnect', settle(true));
      // The error adds nothing.
      socket.on('error', () => undefined).once('close', settle(false));
    });
  return within(HANDSHAKE_MS, signal, handshake).catch(() => false);
}
