import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server on a loopback port that the system chose. */
export interface AnsweringServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Resolves when each connection that is open now has ended; the server itself ends none. */
  allConnectionsGone(): Promise<void>;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** A plain `node:http` server that answers each request with the listener. */
export async function answerWith(listener: RequestListener): Promise<AnsweringServer> {
  return listening(createServer(listener));
}

/** A server that does with each connection what it is told, HTTP or not. */
export async function connectWith(onConnection: (socket: Socket) => void): Promise<AnsweringServer> {
  return listening(createTcpServer(onConnection));
}

async function listening(server: Server): Promise<AnsweringServer> {
  const openSockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    openSockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => openSockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    allConnectionsGone: async () => {
      // Not events.once, which takes the reset of a connection for a failure.
      await Promise.all([...openSockets].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of openSockets) socket.destroy();
      await closed;
    },
  };
}
