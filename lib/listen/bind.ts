import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { endpointText } from '../endpoint/format.js';
import { trackConnections, type Connections } from './connections.js';
import { refusal } from './listen-error.js';
import { closeSparingOthers, fileIdentity } from './socket-file.js';
import type { Target } from './targets.js';

/** A server that listens. */
export interface Bound {
  readonly server: Server;
  /** Canonical, with the port that it has now. */
  readonly endpoint: string;
  readonly connections: Connections;
  /** Takes no more connections; calls back when the last one is gone. */
  readonly close: (done: () => void) => void;
}

/** @throws {@link ListenError} */
export async function bind(server: Server, { endpoint, host, ipv6Only }: Target): Promise<Bound> {
  const connections = trackConnections(server);
  const text = endpointText(endpoint);
  const { path } = endpoint;
  if (path !== undefined) {
    await listen(server, { path }, text);
    const own = fileIdentity(path);
    const close = (done: () => void): void => {
      closeSparingOthers(path, own, () => server.close(done));
    };
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

function listen(server: Server, options: ListenOptions, endpoint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      reject(refusal(endpoint, error));
    };
    server.once('error', failed);
    server.listen(options, () => {
      server.off('error', failed);
      // Without a listener an error of the running server, such as a lack of file descriptors, would end the process.
      server.on('error', (error) => {
        process.emitWarning(error);
      });
      resolve();
    });
  });
}
