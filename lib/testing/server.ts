import * as http from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';

/** The handler of a request, with the TCP connection on which it came. */
export type ConnectedListener = (
  req: http.IncomingMessage,
  res: http.ServerResponse & { req: http.IncomingMessage },
  tcp: Socket,
) => void;

/** A server that can be stopped, started again at its port, and frozen, without any grace. */
export interface BreakableServer {
  readonly state: () => 'running' | 'frozen' | 'stopped';
  /** 0 until it has listened for the first time; the same from then on. */
  readonly port: () => number;
  /** Refuses connections and cuts those that there are. */
  readonly stop: () => Promise<void>;
  /** Listens, or goes on after a freeze. Rejects when something else has taken the port meanwhile. */
  readonly start: () => Promise<void>;
  /** Takes connections and lets everything on them wait. */
  readonly freeze: () => Promise<void>;
  /** Ends every connection, as soon as no request is under way on it. */
  readonly endConnections: () => void;
}

interface Connection {
  /** The number of requests on it that are not answered. */
  underWay: number;
  isEnding: boolean;
}

/**
 * A server of HTTP behind a server of TCP: only there can each handshake have a certificate of its own, and a connection that
 * is secured be reset.
 *
 * @param secureContext - Chooses the certificate of one handshake; without it there is no TLS.
 */
export function createBreakableServer(
  host: string,
  handler: ConnectedListener,
  secureContext: (() => SecureContext) | undefined,
): BreakableServer {
  let state: ReturnType<BreakableServer['state']> = 'stopped';
  let port = 0;
  let held: (() => void)[] = [];
  const connections = new Map<Socket, Connection>();
  const tcpOf = new WeakMap<Socket, Socket>();

  const count = (tcp: Socket, by: number): void => {
    const connection = connections.get(tcp);
    // A connection may end before its request does.
    if (connection === undefined) return;
    connection.underWay += by;
    if (connection.isEnding && connection.underWay === 0) tcp.destroy();
  };
  const whenRunning = (step: () => void): void => {
    if (state === 'frozen') held.push(step);
    else step();
  };

  // As the reference server does: some drivers do not reconnect.
  const web = http.createServer({ keepAliveTimeout: 300_000 }, (req, res) => {
    const tcp = tcpOf.get(req.socket) ?? req.socket;
    count(tcp, 1);
    res.once('close', () => {
      count(tcp, -1);
    });
    whenRunning(() => {
      handler(req, res, tcp);
    });
  });

  const serve = (tcp: Socket): void => {
    if (secureContext === undefined) {
      web.emit('connection', tcp);
      tcp.resume();
      return;
    }
    const secure = new TLSSocket(tcp, { isServer: true, secureContext: secureContext() });
    tcpOf.set(secure, tcp);
    // A client that refuses the certificate.
    secure.on('error', ignore);
    secure.once('secure', () => web.emit('connection', secure));
  };

  // Nothing is read before it is known who reads it.
  const door = createServer({ pauseOnConnect: true, noDelay: true }, (tcp) => {
    connections.set(tcp, { underWay: 0, isEnding: false });
    tcp.on('error', ignore);
    tcp.once('close', () => connections.delete(tcp));
    whenRunning(() => {
      serve(tcp);
    });
  });

  return {
    state: () => state,
    port: () => port,
    async stop() {
      if (state === 'stopped') return;
      state = 'stopped';
      held = [];
      const closed = new Promise<void>((resolve) => {
        door.close(() => {
          resolve();
        });
      });
      for (const tcp of connections.keys()) tcp.destroy();
      await closed;
    },
    async start() {
      if (state === 'stopped') port = await listen(door, port, host);
      state = 'running';
      for (const step of held.splice(0)) step();
    },
    async freeze() {
      if (state === 'stopped') port = await listen(door, port, host);
      state = 'frozen';
    },
    endConnections() {
      for (const [tcp, connection] of connections) {
        connection.isEnding = true;
        count(tcp, 0);
      }
    },
  };
}

const ignore = (): undefined => undefined;

function listen(server: ReturnType<typeof createServer>, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
