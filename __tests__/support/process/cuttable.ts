import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server of a test, which listens on a port that the system chose. */
export interface Cuttable {
  readonly port: number;
  /** The connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  /** Cuts every connection and stops listening. */
  readonly close: () => Promise<void>;
}

export async function listenCuttable(server: Server, host = '127.0.0.1', port = 0): Promise<Cuttable> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, sockets, close };
}
