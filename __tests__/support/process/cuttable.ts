import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { freePort } from './free-port.js';

/** A server of a test, which listens on a port that nobody else gets once it is closed. */
export interface Cuttable {
  readonly port: number;
  /** The connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  /** Cuts every connection and stops listening. */
  readonly close: () => Promise<void>;
}

export async function listenCuttable(server: Server, host = '127.0.0.1', given?: number): Promise<Cuttable> {
  const port = given ?? (await freePort());
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
  return { port, sockets, close };
}
