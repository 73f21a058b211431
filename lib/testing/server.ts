import * as http from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import { createConnections } from './connections.js';
import { createLife, type Life } from './life.js';

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
export interface BreakableServer extends Life {
  /** 0 until it has listened for the first time, if it was; the same from then on. */
  readonly port: () => number;
  /** Ends every connection, as soon as no request is under way on it. */
  readonly endConnections: () => void;
}

/**
 * A server of HTTP behind a server of TCP: only there can each handshake have a certificate of its own, and a connection that
 * is secured be reset.
 */
export function createBreakableServer(options: BreakableServerOptions, handler: ConnectedListener): BreakableServer {
  const { host } = options;
  let { port } = options;
  /** What waits while the server is frozen. */
  let held: (() => void)[] | undefined;
  const connections = createConnections();

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
    res.once('close', () => {
      connections.count(tcp, -1);
    });
    whenRunning(() => {
      handler(req, res, tcp);
    });
  });
  // Nothing is read before it is known who reads it.
  const door = createServer({ pauseOnConnect: true, noDelay: true }, (tcp) => {
    connections.add(tcp);
    tcp.on('error', ignore);
    whenRunning(() => {
      serve(tcp);
    });
  });

  const life = createLife(async (state, from) => {
    if (state === 'stopped') {
      const closed = closing(door);
      connections.cutAll();
      held = undefined;
      await closed;
      return;
    }
    if (state === 'frozen') held = [];
    if (from === 'stopped') port = await listening(door, port, host);
    if (state === 'running') goOn();
  });
  return { ...life, port: () => port, endConnections: connections.endAll };
}

/** Serves one connection after the other, with TLS or without. */
function connectionServer(
  secureContext: BreakableServerOptions['secureContext'],
  listener: ConnectedListener,
): (tcp: Socket) => void {
  const tcpOf = new WeakMap<Socket, Socket>();
  // As the reference server does: some drivers do not reconnect.
  const web = http.createServer({ keepAliveTimeout: 300_000 }, (req, res) => {
    listener(req, res, tcpOf.get(req.socket) ?? req.socket);
  });
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

function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
