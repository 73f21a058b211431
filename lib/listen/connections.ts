import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** ms for the rest of a request head or a TLS handshake once the server closes. */
const HEAD_GRACE_MS = 1000;

/** The events with which Node delivers a request instead of `request`, if the host listens for them. */
const HANDED_OVER: readonly string[] = ['upgrade', 'connect', 'checkContinue', 'checkExpectation'];

/** The open connections of one server. */
type Connections = ReturnType<typeof trackConnections>;

/** The parts needed to close one server. */
export interface Closable {
  readonly connections: Connections;
  /** Stops listening; calls back when the last connection has ended. */
  readonly close: (done: () => void) => void;
}

/**
 * Closes servers: they stop listening, idle connections end at once, busy ones after their response, and all after `timeoutMs`. A request
 * whose head is still incomplete after a second is cut.
 */
export async function closeAll(listening: readonly Closable[], timeoutMs: number): Promise<void> {
  const closed = listening.map(
    ({ connections, close }) =>
      new Promise<void>((resolve) => {
        connections.drain();
        close(resolve);
      }),
  );
  const heads = setTimeout(() => {
    for (const { connections } of listening) connections.cutUnfinishedHeads();
  }, HEAD_GRACE_MS);
  const cut = (): void => {
    for (const { connections } of listening) connections.destroy();
  };
  // A timer does not support Infinity.
  const limit = timeoutMs === Infinity ? undefined : setTimeout(cut, timeoutMs);
  await Promise.all(closed);
  clearTimeout(heads);
  clearTimeout(limit);
}

/**
 * Tracks a server's connections, from before it listens.
 *
 * Node's own methods do not suffice: `closeIdleConnections` cuts complete responses that are still on their way to a slow client, and leaves
 * connections that never sent a byte; `closeAllConnections` leaves upgraded ones and TLS handshakes.
 */
export function trackConnections(server: Server) {
  /** Each with its last response. An `https` server has each connection twice: raw and decrypted. */
  const responses = new Map<Socket, ServerResponse | undefined>();
  const handedOver = new WeakSet<Socket>();
  let draining = false;

  const add = (socket: Socket): void => {
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  };
  const endAfter = (response: ServerResponse, socket: Socket): void => {
    response.once('close', () => {
      if (responses.get(socket) === response) socket.destroySoon();
    });
    try {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    } catch {
      // The host application has replaced a method; the connection still ends after the response.
    }
  };
  /** Connections without a response that sent nothing are idle. */
  const destroyIdle = (): void => {
    for (const [socket, response] of responses) {
      const isIdle = response === undefined ? socket.bytesRead === 0 : response.writableFinished;
      if (isIdle) socket.destroy();
    }
  };

  server.on('connection', add);
  server.on('secureConnection', add);
  // A request costs one map entry.
  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    responses.set(socket, response);
    if (draining) endAfter(response, socket);
  };
  // Before the handler, which may respond at once.
  server.prependListener('request', begin);
  followHandOvers(server, (request, second) => {
    if (isResponse(second)) begin(request, second);
    else handedOver.add(request.socket);
  });
  // `server.close()` calls it.
  server.closeIdleConnections = destroyIdle;

  return {
    /** Ends idle ones at once, and every other one after its running request. */
    drain(): void {
      draining = true;
      destroyIdle();
      for (const [socket, response] of responses) {
        if (response !== undefined) endAfter(response, socket);
      }
    },
    /** Cuts those with an unfinished request head or TLS handshake. */
    cutUnfinishedHeads(): void {
      const open = [...responses.keys()];
      const secured = new Set(open.filter((socket) => socket instanceof TLSSocket).map(clientOf));
      for (const socket of open) {
        const isUnderTls = !(socket instanceof TLSSocket) && secured.has(clientOf(socket));
        if (responses.get(socket) === undefined && !handedOver.has(socket) && !isUnderTls) socket.destroy();
      }
    },
    destroy(): void {
      for (const socket of responses.keys()) socket.destroy();
    },
  };
}

function isResponse(value: unknown): value is ServerResponse {
  return value instanceof ServerResponse;
}

/** The same for the raw and the decrypted connection. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}

/**
 * Calls back with each request that Node delivers to the host with another event than `request`, and with the event's second argument: the
 * response or the socket. Listens only while the host does: without a listener, Node treats these requests like any other.
 */
function followHandOvers(server: Server, handedOver: (request: IncomingMessage, second: unknown) => void): void {
  const isFirst = (event: string): boolean => HANDED_OVER.includes(event) && server.listenerCount(event) === 0;
  const isAlone = (event: string): boolean => HANDED_OVER.includes(event) && server.listenerCount(event) === 1;
  server.on('newListener', (event: string, listener: unknown) => {
    if (listener !== handedOver && isFirst(event)) server.prependListener(event, handedOver);
  });
  server.on('removeListener', (event: string) => {
    if (isAlone(event)) server.off(event, handedOver);
  });
}
