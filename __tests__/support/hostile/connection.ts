import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What came back, and whether the server closed the connection; otherwise it held the client for a minute. */
export interface RawOutcome {
  readonly bytes: Buffer;
  readonly isClosed: boolean;
}

/** How long a client waits for answers before it says that it sends no more. */
const GRACE_MS = 20;
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

/** Sends packets on a connection of their own, says a moment later that there are no more, and waits until the server closes it. */
export async function exchange(port: number, packets: readonly string[]): Promise<RawOutcome> {
  const socket = await openConnection(port);
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  for (const packet of packets) {
    if (socket.writable) socket.write(packet, 'latin1');
    await nextTurn();
  }
  let isClosed = true;
  const grace = setTimeout(() => socket.end(), GRACE_MS);
  const patience = setTimeout(() => {
    isClosed = false;
    socket.destroy();
  }, PATIENCE_MS);
  await closed;
  clearTimeout(grace);
  clearTimeout(patience);
  return { bytes: Buffer.concat(received), isClosed };
}
