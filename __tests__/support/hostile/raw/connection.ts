import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What a client sends, and when it says that it sends no more. */
export interface RawRequest {
  /** Each in a packet of its own. */
  readonly chunks: readonly Buffer[];
  /** Whether all that the client waits for has come: then it closes its half of the connection. */
  readonly isAnswered: (received: Buffer) => boolean;
  /** How long after the last packet it does so anyway, in milliseconds. */
  readonly graceMs: number;
}

/** What came back, and whether the server closed the connection; otherwise it held the client for a minute. */
export interface RawOutcome {
  readonly bytes: Buffer;
  readonly isClosed: boolean;
}

/** Longer than any answer takes on a busy machine: whoever is still waiting then waits for ever. */
const PATIENCE_MS = 60_000;

/** Opens a connection to a port of this machine; its errors show as its end. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  // A server that refuses a request may reset the connection while the client still writes.
  socket.on('error', () => undefined);
  return socket;
}

/** Sends a request on a connection of its own, and waits until the server closes it. */
export async function exchangeBytes(port: number, { chunks, isAnswered, graceMs }: RawRequest): Promise<RawOutcome> {
  const socket = await openConnection(port);
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  let received = Buffer.alloc(0);
  let isSent = false;
  const endIfAnswered = (): void => {
    if (isSent && isAnswered(received)) socket.end();
  };
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    endIfAnswered();
  });

  for (const chunk of chunks) {
    if (socket.writable) socket.write(chunk);
    await nextTurn();
  }
  isSent = true;
  endIfAnswered();

  let isClosed = true;
  const grace = setTimeout(() => socket.end(), graceMs);
  const patience = setTimeout(() => {
    isClosed = false;
    socket.destroy();
  }, PATIENCE_MS);
  await closed;
  clearTimeout(grace);
  clearTimeout(patience);
  return { bytes: received, isClosed };
}
