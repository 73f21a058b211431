import * as http from 'node:http';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { platform } from 'node:os';
import { TLSSocket, type SecureContext } from 'node:tls';

/** What a server does with its port. */
export type LifeState = 'running' | 'frozen' | 'stopped';

/** The handler of a request, with the TCP connection on which it came. */
export type ConnectedListener = (
  req: http.IncomingMessage,
  res: http.ServerResponse & { req: http.IncomingMessage },
  tcp: Socket,
) => void;

/** Where a server listens, and how. */
export interface BreakableServerOptions {
  readonly host: string;
  /** 0 is a free port. */
  readonly port: number;
  /** Chooses the certificate of one handshake; without it there is no TLS. */
  readonly secureContext: (() => SecureContext) | undefined;
}

/**
 * A server that can be stopped, started again at its port, and frozen, without any grace. Stopped, it refuses connections and has
 * cut those that there were; frozen, it takes connections and lets everything on them wait. It starts as stopped.
 */
export interface BreakableServer {
  readonly state: () => LifeState;
  /** Resolves when the server is in the state that has been asked for last by then. Rejects when it cannot be. */
  readonly become: (state: LifeState) => Promise<void>;
  /** 0 until it has listened for the first time, if it was; the same from then on. */
  readonly port: () => number;
  /** Ends every connection, as soon as no request is under way on it. */
  readonly endConnections: () => void;
  /** Gives up the port of a server that has been stopped for good. */
  readonly releasePort: () => void;
}

/**
 * A server of HTTP behind a server of TCP: only there can each handshake have a certificate of its own, and a connection that
 * is secured be reset.
 */
export function createBreakableServer(options: BreakableServerOptions, handler: ConnectedListener): BreakableServer {
  let { host, port } = options;
  let holder: Socket | undefined;
  /** What waits while the server is frozen. */
  let held: (() => void)[] | undefined;
  const connections = new Connections();

  const whenRunning = (step: () => void): void => {
    if (held === undefined) step();
    else held.push(step);
  };
  const goOn = (): void => {
    const steps = held ?? [];
    held = undefined;
    for (const step of steps) step();
  };

  const serve = connectionServer(options.secureContext, (req, res, tcp) => {
    connections.count(tcp, 1);
    res.once('close', () => connections.count(tcp, -1));
    whenRunning(() => handler(req, res, tcp));
  });
  // Nothing is read before it is known who reads it.
  const door = createServer({ pauseOnConnect: true, noDelay: true }, (tcp) => {
    connections.add(tcp);
    tcp.on('error', ignore);
    whenRunning(() => serve(tcp));
  });

  let state: LifeState = 'stopped';
  const enter = async (next: LifeState): Promise<void> => {
    if (next === state) return;
    if (next === 'stopped') {
      const closed = closing(door);
      connections.cutAll();
      held = undefined;
      await closed;
      holder = await holdPort(port, host);
    } else {
      if (next === 'frozen') held = [];
      releasePort();
      // The address of a host name: it is what the port is held for.
      if (state === 'stopped') ({ port, address: host } = await listening(door, port, host));
      if (next === 'running') goOn();
    }
    state = next;
  };
  const releasePort = (): void => {
    holder?.resetAndDestroy();
    holder = undefined;
  };
  return {
    state: () => state,
    become: oneAfterTheOther(enter),
    port: () => port,
    endConnections: () => connections.endAll(),
    releasePort,
  };
}

/** However fast they are asked for, the last state that was asked for is entered last. */
function oneAfterTheOther(enter: (state: LifeState) => Promise<void>): (state: LifeState) => Promise<void> {
  let wanted: LifeState;
  let turn = Promise.resolve();
  return (asked) => {
    wanted = asked;
    const done = turn.then(() => enter(wanted));
    turn = done.catch(() => undefined);
    return done;
  };
}

function connectionServer(
  secureContext: BreakableServerOptions['secureContext'],
  listener: ConnectedListener,
): (tcp: Socket) => void {
  const tcpOf = new WeakMap<Socket, Socket>();
  // As the reference server does: some drivers do not reconnect.
  const web = http.createServer({ keepAliveTimeout: 300_000 }, (req, res) =>
    listener(req, res, tcpOf.get(req.socket) ?? req.socket),
  );
  return (tcp) => {
    if (secureContext === undefined) {
      web.emit('connection', tcp);
      tcp.resume();
      return;
    }
    const secure = new TLSSocket(tcp, {
      isServer: true,
      secureContext: secureContext(),
      ALPNProtocols: ['http/1.1'],
    });
    tcpOf.set(secure, tcp);
    // A client that refuses the certificate.
    secure.on('error', ignore);
    secure.once('secure', () => web.emit('connection', secure));
  };
}

const ignore = (): undefined => undefined;

function listening(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/**
 * Keeps a port on which nobody listens from being given to another server that asks for a free one: its clients, or yours, would reach a
 * stranger. A connection to itself has the port, and the system still refuses every other. Elsewhere than on Linux it would keep out a
 * server, too, that is to be at that very port.
 */
function holdPort(port: number, address: string): Promise<Socket> | undefined {
  if (platform() !== 'linux') return undefined;
  return new Promise((resolve) => {
    const holder = new Socket().unref();
    const done = (): void => resolve(holder);
    holder.on('error', done).connect({ host: address, port, localAddress: address, localPort: port }, done);
  });
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The TCP connections of one server. */
class Connections {
  readonly #connections = new Map<Socket, { unanswered: number; isEnding: boolean }>();

  add(tcp: Socket): void {
    this.#connections.set(tcp, { unanswered: 0, isEnding: false });
    tcp.once('close', () => this.#connections.delete(tcp));
  }

  /** A request has begun on a connection (1), or was answered (-1). */
  count(tcp: Socket, by: 1 | -1): void {
    const connection = this.#connections.get(tcp);
    // A connection may end before its request does.
    if (connection === undefined) return;
    connection.unanswered += by;
    if (connection.isEnding && connection.unanswered === 0) tcp.destroy();
  }

  /** Ends every connection, as soon as no request is under way on it. */
  endAll(): void {
    for (const [tcp, connection] of this.#connections) {
      connection.isEnding = true;
      if (connection.unanswered === 0) tcp.destroy();
    }
  }

  cutAll(): void {
    for (const tcp of this.#connections.keys()) tcp.destroy();
  }
}
