import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What a client sends, chunk by chunk, and how it goes on. */
export interface RawRequest {
  readonly chunks: readonly Buffer[];
  /** Whether the client says after the last chunk that it sends no more, so that the server need not wait for the rest. */
  readonly halfCloses: boolean;
}

/** What came back, and whether the server closed the connection; otherwise the client ran out of patience. */
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

/** Sends chunks on a connection of their own, each in a packet of its own, and waits until the server closes it. */
export async function exchangeBytes(port: number, { chunks, halfCloses }: RawRequest): Promise<RawOutcome> {
  const socket = await openConnection(port);
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));

  for (const chunk of chunks) {
    if (socket.writable) socket.write(chunk);
    await nextTurn();
  }
  if (halfCloses) socket.end();

  const wait = { isOver: false };
  const patience = setTimeout(() => {
    wait.isOver = true;
    socket.destroy();
  }, PATIENCE_MS);
  await closed;
  clearTimeout(patience);
  return { bytes: Buffer.concat(received), isClosed: !wait.isOver };
}
