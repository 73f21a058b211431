import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How long a client may take, once the server closes, for the rest of a request's head or of a TLS handshake. */
const HEAD_GRACE_MS = 1000;

/** The events in which Node hands over a request without its `request` event, if the host listens to them. */
const HANDED_OVER: readonly string[] = ['upgrade', 'connect', 'checkContinue', 'checkExpectation'];

/** The open connections of one server. */
export interface Connections {
  /** Ends those that wait for a request at once, and every other one after its running request. */
  drain(): void;
  /** Cuts those that have begun a request, or a TLS handshake, and not got any further. */
  cutUnfinishedHeads(): void;
  /** Cuts all of them. */
  destroy(): void;
}

/** What it takes to close one server. */
export interface Closable {
  readonly connections: Connections;
  /** Takes no more connections; calls back when the last one is gone. */
  readonly close: (done: () => void) => void;
}

/**
 * Closes servers: they take no more connections, connections without a running request end at once, the others as soon as
 * their response is out, and after `timeoutMs` in any case. A request whose head has not arrived within a second of that
 * is not waited for.
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
  // Infinity is no delay that a timer could have.
  const limit = timeoutMs === Infinity ? undefined : setTimeout(cut, timeoutMs);
  await Promise.all(closed);
  clearTimeout(heads);
  clearTimeout(limit);
}

/**
 * Keeps count of a server's connections, from before it listens.
 *
 * Node's own count cannot be used: `closeIdleConnections` cuts responses that are complete but still on their way to a slow
 * client, and leaves connections that never sent a byte; `closeAllConnections` leaves upgraded ones and TLS handshakes.
 */
export function trackConnections(server: Server): Connections {
  /** Each with its last response. On a server of `https` a connection is there twice: as it came, and decrypted. */
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
      // The host application has changed the response; the connection ends after it all the same.
    }
  };
  /** Of the connections without a response: those that sent nothing are idle, whatever else they are. */
  const destroyIdle = (): void => {
    for (const [socket, response] of responses) {
      const isIdle = response === undefined ? socket.bytesRead === 0 : response.writableFinished;
      if (isIdle) socket.destroy();
    }
  };

  server.on('connection', add);
  server.on('secureConnection', add);
  // One map entry is all that a request costs here.
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
    drain() {
      draining = true;
      destroyIdle();
      for (const [socket, response] of responses) {
        if (response !== undefined) endAfter(response, socket);
      }
    },
    cutUnfinishedHeads() {
      const open = [...responses.keys()];
      const secured = new Set(open.filter((socket) => socket instanceof TLSSocket).map(clientOf));
      for (const socket of open) {
        const isUnderTls = !(socket instanceof TLSSocket) && secured.has(clientOf(socket));
        if (responses.get(socket) === undefined && !handedOver.has(socket) && !isUnderTls) socket.destroy();
      }
    },
    destroy() {
      for (const socket of responses.keys()) socket.destroy();
    },
  };
}

function isResponse(value: unknown): value is ServerResponse {
  return value instanceof ServerResponse;
}

/** The same for a connection as it came and for its decrypted form. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}

/**
 * Calls back with each request that Node hands over to the host without its `request` event, and with the second argument
 * of that event: the response, or the socket. Listens only while the host does: without a listener Node treats these
 * requests as any other.
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
