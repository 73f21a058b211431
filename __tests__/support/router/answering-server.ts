import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { listenCuttable, type Cuttable } from '../process/cuttable.js';

/** A server on a loopback port that the system chose. */
export interface AnsweringServer extends Pick<Cuttable, 'close'> {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Resolves when each connection that is open now has ended; the server itself ends none. */
  allConnectionsGone(): Promise<void>;
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
  const { port, sockets, close } = await listenCuttable(server);
  return {
    address: `127.0.0.1:${String(port)}`,
    allConnectionsGone: async () => {
      // Not events.once, which takes the reset of a connection for a failure.
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    },
    close,
  };
}
