import type { Socket } from 'node:net';

/** The TCP connections of one server. */
export interface Connections {
  readonly add: (tcp: Socket) => void;
  /** A request has begun on a connection (1), or was answered (-1). */
  readonly count: (tcp: Socket, by: 1 | -1) => void;
  /** Ends every connection, as soon as no request is under way on it. */
  readonly endAll: () => void;
  readonly cutAll: () => void;
}

interface Connection {
  /** The number of requests on it that are not answered. */
  underWay: number;
  isEnding: boolean;
}

export function createConnections(): Connections {
  const connections = new Map<Socket, Connection>();

  const endIfIdle = (tcp: Socket, { isEnding, underWay }: Connection): void => {
    if (isEnding && underWay === 0) tcp.destroy();
  };
  return {
    add(tcp) {
      connections.set(tcp, { underWay: 0, isEnding: false });
      tcp.once('close', () => connections.delete(tcp));
    },
    count(tcp, by) {
      const connection = connections.get(tcp);
      // A connection may end before its request does.
      if (connection === undefined) return;
      connection.underWay += by;
      endIfIdle(tcp, connection);
    },
    endAll() {
      for (const [tcp, connection] of connections) {
        connection.isEnding = true;
        endIfIdle(tcp, connection);
      }
    },
    cutAll() {
      for (const tcp of connections.keys()) tcp.destroy();
    },
  };
}
