import { createServer, type AddressInfo, type Server } from 'node:net';

/** Starts a server on a free port of loopback; the port. */
export async function startOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Below the ports that a system gives to connections and to servers that ask for any: 32768 and up on Linux, 49152 elsewhere. */
const [FIRST, LAST] = [10_000, 32_000];

/**
 * A port of 127.0.0.1 that nobody listens on now, and that nobody gets by chance before the test has taken it; neither does a client, of a
 * server that is stopped for a while, as its own port, which would connect it with itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
