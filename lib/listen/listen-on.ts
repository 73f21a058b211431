import type { RequestListener, Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { endpointText, SCHEMES, type Endpoint } from '../endpoint/endpoint.js';
import { onAbort, within } from '../request/deadline.js';
import { shown } from '../text/shown.js';
import { bindAll, type Bound } from './bind.js';
import { loadCertificate } from './certificate.js';
import { closeAll } from './connections.js';
import { readListenOptions, readSsl, type ListenOptions, type SslOptions } from './options.js';
import { removeStaleSocket } from './socket-file-removal.js';
import { findTargets, readEndpointList } from './socket-targets.js';

/** What listens, until it is closed. */
export interface Listening {
  /** The servers, of `node:http` or `node:https`, one for each endpoint and in their order. */
  readonly servers: readonly Server[];
  /**
   * What is really bound, as a provider for `createEndpointRouter`: canonical, with the port that the system chose where
   * port 0 was asked for. The same frozen array at each call; an empty one from `close()` on.
   */
  readonly endpoints: () => readonly string[];
  /**
   * Gives new connections of the `ssl` endpoints another certificate, without a restart; open ones keep theirs. Reads the
   * `keyfile` of `ssl` again, or takes its `key` and `cert`; of its other options those that `setSecureContext` of Node's
   * TLS server takes. Without an argument: the `ssl` that was used last. Without an `ssl` endpoint there is nothing to do.
   *
   * Rejects with a {@link ListenError}, whose code is `ERR_LISTEN_SSL`, when key and certificate are missing, cannot be
   * read or do not fit each other, and with a `TypeError` when `ssl` is not what it should be; then nothing has changed.
   */
  readonly renewCertificate: (ssl?: SslOptions) => Promise<void>;
  /**
   * Takes no more connections. Those without a running request are closed at once, the others after their response, and all
   * of them after `closeTimeoutMs`. Removes socket files; resolves once everything is closed. Every call returns the same
   * promise.
   *
   * A request whose head, or a TLS handshake, has only begun gets one second for the rest. A request whose head has arrived is
   * running: with a `closeTimeoutMs` of `Infinity`, a client that never finishes its body keeps the server.
   */
  readonly close: () => Promise<void>;
}

const NOTHING: readonly string[] = Object.freeze([]);

/**
 * Binds every endpoint of a list, or none of them.
 *
 * For an Express application the requests and responses are born with its prototypes, see {@link createAppServer}.
 *
 * @param handler - An Express application, or any listener for `request` events.
 * @param endpoints - Endpoint descriptions as {@link parseEndpoint} takes them, and with port 0 too: the system chooses.
 * @throws `TypeError` when an argument is not what it should be: all bad endpoints are named at once.
 * @throws {@link ListenError} for an endpoint that cannot be bound; those that could be are closed again.
 * @throws The reason of `signal`, when it aborts before all are bound.
 */
export async function listenOn(
  handler: RequestListener,
  endpoints: readonly string[],
  options: ListenOptions = {},
): Promise<Listening> {
  if (typeof handler !== 'function') throw new TypeError(`handler must be a function, got ${shown(handler)}`);
  const { ssl, signal, closeTimeoutMs, keepAliveTimeout } = readListenOptions(options);
  const asked = readEndpointList(endpoints);

  const { targets, tls } = await within(Infinity, signal, () => prepare(asked, ssl, signal));
  const bound = await bindAll(targets, { handler, tls, keepAliveTimeout });
  const bindings = Object.freeze(bound.map(({ endpoint }) => endpoint));

  let closed: Promise<void> | undefined;
  let release = (): void => undefined;
  const close = (): Promise<void> => {
    if (closed === undefined) {
      release();
      closed = closeAll(bound, closeTimeoutMs);
    }
    return closed;
  };
  if (signal?.aborted) {
    await close();
    signal.throwIfAborted();
  }
  release = onAbort(signal, () => void close());

  return Object.freeze({
    servers: Object.freeze(bound.map(({ server }) => server)),
    endpoints: () => (closed ? NOTHING : bindings),
    renewCertificate: certificateRenewal(bound, ssl),
    close,
  });
}

/** All that takes time, so that the binding itself takes none: no client finds a part of the list. */
async function prepare(endpoints: readonly Endpoint[], ssl: SslOptions | undefined, signal: AbortSignal | undefined) {
  const targets = await findTargets(endpoints);
  const secure = targets.find(({ endpoint }) => SCHEMES[endpoint.scheme].isTls);
  const tls = secure && (await loadCertificate(ssl, endpointText(secure.endpoint)));
  for (const { endpoint } of targets) {
    signal?.throwIfAborted();
    if (endpoint.path !== undefined) await removeStaleSocket(endpoint.path, endpointText(endpoint), signal);
  }
  return { targets, tls };
}

function certificateRenewal(bound: readonly Bound[], given: SslOptions | undefined): Listening['renewCertificate'] {
  const secure = bound.flatMap(({ server, endpoint }) => (server instanceof HttpsServer ? [{ server, endpoint }] : []));
  let current = given;
  // One after the other: what was asked for last is what stays, however long a file takes to read.
  let last: Promise<unknown> = Promise.resolve();

  const renew = async (next: SslOptions | undefined): Promise<void> => {
    const [first] = secure;
    if (first === undefined) return;
    const ssl = next === undefined ? current : readSsl(next);
    const tls = await loadCertificate(ssl, first.endpoint);
    for (const { server } of secure) server.setSecureContext(tls);
    current = ssl;
  };
  return (ssl) => {
    const renewed = last.then(() => renew(ssl));
    last = renewed.catch(() => undefined);
    return renewed;
  };
}
