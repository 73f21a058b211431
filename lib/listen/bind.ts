import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo, ListenOptions as SocketOptions } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { endpointText, SCHEMES } from '../endpoint/endpoint.js';
import { appClasses, isExpressApp } from './app-server.js';
import { reasonOf, sslError } from './certificate.js';
import { closeAll, trackConnections, type Closable } from './connections.js';
import { refusedBySystem } from './listen-error.js';
import { closeSparingOthers, fileIdentity } from './socket-file-removal.js';
import type { SocketTarget } from './socket-targets.js';

/** A listening server. */
export interface Bound extends Closable {
  readonly server: http.Server | https.Server;
  /** In canonical form, with the actual port. */
  readonly endpoint: string;
}

/** The settings of all servers of one `listenOn` call. */
export interface ServerSettings {
  readonly handler: http.RequestListener;
  /** Present if one of the endpoints is `ssl`. */
  readonly tls: TlsOptions | undefined;
  /** ms, or `Infinity`. */
  readonly keepAliveTimeout: number;
}

/**
 * Binds every target, in one turn of the event loop, or none.
 *
 * @throws {@link ListenError} for the first target that cannot be bound, after the others are closed again.
 */
export async function bindAll(targets: readonly SocketTarget[], settings: ServerSettings): Promise<Bound[]> {
  // Creates all before binding any, because Node throws for invalid server options here.
  const createServer = serverFactory(settings);
  const servers = targets.map((target) => ({ target, server: createServer(target) }));

  const outcomes = await Promise.allSettled(servers.map(({ server, target }) => bind(server, target)));
  const bound = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    await closeAll(bound, 0);
    throw failure.reason;
  }
  return bound;
}

function serverFactory({ handler, tls, keepAliveTimeout }: ServerSettings): (target: SocketTarget) => Bound['server'] {
  const options = {
    ...(isExpressApp(handler) ? appClasses(handler) : {}),
    // Node's value for "no limit".
    keepAliveTimeout: keepAliveTimeout === Infinity ? 0 : keepAliveTimeout,
  };
  return ({ endpoint }) => {
    const { isTls, isSocketFile } = SCHEMES[endpoint.scheme];
    // On a socket file there is no host to name, so some clients send none.
    if (!isTls) return http.createServer({ ...options, requireHostHeader: !isSocketFile }, handler);
    try {
      return https.createServer({ ...tls, ...options }, handler);
    } catch (error) {
      throw sslError(endpointText(endpoint), `the options of ssl cannot be used: ${reasonOf(error)}`, error);
    }
  };
}

/** @throws {@link ListenError} */
async function bind(server: Bound['server'], { endpoint, host, ipv6Only }: SocketTarget): Promise<Bound> {
  const connections = trackConnections(server);
  const text = endpointText(endpoint);
  const { path } = endpoint;
  if (path !== undefined) {
    await listen(server, { path }, text);
    const own = fileIdentity(path);
    const close = (done: () => void): void => closeSparingOthers(path, own, () => server.close(done));
    return { server, endpoint: text, connections, close };
  }

  await listen(server, { host, port: endpoint.port, ipv6Only }, text);
  const { port } = server.address() as AddressInfo;
  return {
    server,
    endpoint: endpointText({ ...endpoint, port }),
    connections,
    close(done) {
      server.close(done);
    },
  };
}

function listen(server: http.Server, options: SocketOptions, endpoint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(refusedBySystem(endpoint, error));
    server.once('error', failed);
    server.listen(options, () => {
      server.off('error', failed);
      // Without a listener an error of the running server, such as a lack of file descriptors, would end the process.
      server.on('error', (error) => process.emitWarning(error));
      resolve();
    });
  });
}
