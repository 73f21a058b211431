import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { startOnFreePort } from './free-port.js';

/** A way to a server on loopback that can be cut off: a client of `url` is a client of the server meanwhile. */
export interface CuttableWay {
  readonly url: string;
  /** Ends all connections; new ones are ended at once. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

export async function startCuttableWay(to: string): Promise<CuttableWay> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const there = connect(Number(port), hostname);
    for (const [from, into] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.once('close', () => {
        sockets.delete(from);
        into.destroy();
      });
      from.pipe(into);
    }
  });
  const ownPort = await startOnFreePort(server);
  return {
    url: `http://127.0.0.1:${String(ownPort)}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
