import type { RequestListener, Server } from 'node:http';
import type { Endpoint } from '../endpoint/endpoint.js';
import { endpointText } from '../endpoint/format.js';
import { shown } from '../text/shown.js';
import { unlessAborted } from './abort.js';
import { bindAll } from './bind-all.js';
import { closeAll } from './close.js';
import { readEndpointList } from './endpoint-list.js';
import { listenSettings, type ListenOptions } from './options.js';
import { removeStaleSocket } from './socket-file.js';
import { serverFactory } from './servers.js';
import type { SslOptions } from './ssl-options.js';
import { findTargets } from './targets.js';
import { loadTlsOptions } from './tls-options.js';

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
   * Takes no more connections. Those without a running request are closed at once, the others when their answer is out,
   * and all of them after `closeTimeout` ms. Socket files go. Resolves when all is gone; every call gives the same promise.
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
  const { ssl, signal, closeTimeout } = listenSettings(options);
  const asked = readEndpointList(endpoints);
  signal?.throwIfAborted();

  const { targets, tls } = await unlessAborted(prepare(asked, ssl, signal), signal);
  const bound = await bindAll(targets, serverFactory(handler, tls));
  const bindings = Object.freeze(bound.map(({ endpoint }) => endpoint));

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    signal?.removeEventListener('abort', onAbort);
    return (closed ??= closeAll(bound, closeTimeout));
  };
  const onAbort = (): void => {
    void close();
  };
  if (signal?.aborted) {
    await close();
    signal.throwIfAborted();
  }
  signal?.addEventListener('abort', onAbort);

  return Object.freeze({
    servers: Object.freeze(bound.map(({ server }) => server)),
    endpoints: () => (closed ? NOTHING : bindings),
    close,
  });
}

/** All that takes time, so that the binding itself takes none: no client finds a part of the list. */
async function prepare(endpoints: readonly Endpoint[], ssl: SslOptions | undefined, signal: AbortSignal | undefined) {
  const targets = await findTargets(endpoints);
  const secure = targets.find(({ endpoint }) => endpoint.scheme === 'ssl');
  const tls = secure && (await loadTlsOptions(ssl, endpointText(secure.endpoint)));
  for (const { endpoint } of targets) {
    if (endpoint.path !== undefined) await removeStaleSocket(endpoint.path, endpointText(endpoint), signal);
  }
  return { targets, tls };
}
