import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of one server. */
export interface Connections {
  /** Ends those that wait for a request at once, and every other one behind its running request. */
  drain(): void;
  /** Cuts all of them. */
  destroy(): void;
}

/**
 * Keeps count of a server's connections, from before it listens.
 *
 * Node's own count cannot be used: `closeIdleConnections` cuts answers that are complete but still on their way to a slow
 * client, and leaves connections that never sent a byte; `closeAllConnections` leaves upgraded ones and TLS handshakes.
 */
export function trackConnections(server: Server): Connections {
  /** Each with its last answer. On a server of `https` a connection is there twice: as it came, and decrypted. */
  const answers = new Map<Socket, ServerResponse | undefined>();
  let draining = false;

  const add = (socket: Socket): void => {
    answers.set(socket, undefined);
    socket.once('close', () => answers.delete(socket));
  };
  const endBehind = (answer: ServerResponse, socket: Socket): void => {
    if (!answer.headersSent) answer.setHeader('Connection', 'close');
    answer.once('close', () => {
      if (answers.get(socket) === answer) socket.destroySoon();
    });
  };
  const destroyIdle = (): void => {
    for (const [socket, answer] of answers) {
      // Without an answer and with bytes: in a TLS handshake, in the middle of a request, or upgraded.
      const idle = answer === undefined ? socket.bytesRead === 0 : answer.writableFinished;
      if (idle) socket.destroy();
    }
  };

  server.on('connection', add);
  server.on('secureConnection', add);
  // Before the handler, which may answer at once. One map entry is all that a request costs here.
  server.prependListener('request', ({ socket }, answer) => {
    answers.set(socket, answer);
    if (draining) endBehind(answer, socket);
  });
  // `server.close()` calls it.
  server.closeIdleConnections = destroyIdle;

  return {
    drain() {
      draining = true;
      destroyIdle();
      for (const [socket, answer] of answers) {
        if (answer !== undefined) endBehind(answer, socket);
      }
    },
    destroy() {
      for (const socket of answers.keys()) socket.destroy();
    },
  };
}
