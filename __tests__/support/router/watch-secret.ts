import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { showsSecret } from './secret.js';

/**
 * Set up for every test file of the router: reads along what each server of the file writes to its sockets, and fails the test in
 * which the word of `secret.ts` leaves.
 */
const leaks: string[] = [];

function watch(message: unknown): void {
  const { socket } = message as { socket: Socket };
  let written = '';
  socket.write = new Proxy(socket.write.bind(socket), {
    apply(write, self, args: Parameters<Socket['write']>) {
      // As one text: the secret might be cut in two.
      written += Buffer.from(args[0]).toString('latin1');
      if (showsSecret(written)) leaks.push(written);
      return Reflect.apply(write, self, args);
    },
  });
}

beforeAll(() => subscribe('net.server.socket', watch));

afterAll(() => {
  unsubscribe('net.server.socket', watch);
});

afterEach(() => expect(leaks.splice(0)).toEqual([]));
