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

/** The result of {@link listenOn}. */
export interface Listening {
  /** The servers, of `node:http` or `node:https`, one for each endpoint and in their order. */
  readonly servers: readonly Server[];
  /**
   * A provider of what is actually bound: canonical, with the port that the system chose for port 0. Returns the same frozen array each
   * time, and an empty one after `close()`.
   */
  readonly endpoints: () => readonly string[];
  /**
   * Replaces the certificate for new connections of the `ssl` endpoints, without a restart; open ones keep theirs. Reads the `keyfile` of
   * `ssl` again, or uses its `key` and `cert`, and the other options that `setSecureContext` of Node's TLS server accepts. The default is
   * the last `ssl`. Without an `ssl` endpoint it does nothing.
   *
   * Rejects and changes nothing: with a {@link ListenError} with the code `ERR_LISTEN_SSL` if key or certificate is missing, unreadable, or
   * does not match, and with a `TypeError` if `ssl` is invalid.
   */
  readonly renewCertificate: (ssl?: SslOptions) => Promise<void>;
  /**
   * Stops listening. Closes idle connections at once, busy ones after their response, and all after `closeTimeoutMs`. Removes socket files;
   * resolves once everything is closed. Every call returns the same promise.
   *
   * An unfinished request head or TLS handshake is cut after one second. A request is busy once its head has arrived: with a
   * `closeTimeoutMs` of `Infinity`, a client that never finishes its body keeps the server running.
   */
  readonly close: () => Promise<void>;
}

const NOTHING: readonly string[] = Object.freeze([]);

/**
 * Binds every endpoint of a list, or none of them.
 *
 * For an Express application, it creates the servers with {@link createAppServer}.
 *
 * @param handler - An Express application, or any listener for `request` events.
 * @param endpoints - Endpoints as {@link parseEndpoint} accepts them; with port 0, the system chooses a port.
 * @throws `TypeError` for an invalid argument, naming all invalid endpoints.
 * @throws {@link ListenError} for an endpoint that cannot be bound; the others are closed again.
 * @throws The reason of `signal`, if it aborts before all are bound.
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

/** Everything slow comes first, so that binding takes a single turn: no client meets a partly bound list. */
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
  // One after another: the last call wins, however long a file takes to read.
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
