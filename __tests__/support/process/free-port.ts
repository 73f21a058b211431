import { createServer, type Server } from 'node:net';

/** Starts a server on a free port of loopback, which remains free once it has ended; the port. */
export async function startOnFreePort(server: Server): Promise<number> {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return port;
}

/** Below the ports that a system gives to connections and to servers that ask for any: 32768 and up on Linux, 49152 elsewhere. */
const [FIRST, LAST] = [10_000, 32_000];
/** As many processes of tests have ports of their own, and a file gets each of them once before it gets the first one again. */
const PROCESSES = 16;
const OWN = process.pid % PROCESSES;
const PORTS = (LAST - FIRST) / PROCESSES;
let turn = Math.floor(Math.random() * PORTS);

/**
 * A port of 127.0.0.1 that nobody listens on now, and that nobody gets by chance before the test has taken it, or after its server has
 * ended: the next one at that port would answer where the test expects a refusal. Neither does a client get it as its own port, which
 * would connect it with itself.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried += 1) {
    turn = (turn + 1) % PORTS;
    const port = FIRST + turn * PROCESSES + OWN;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
  throw new Error(`all ${String(PORTS)} ports of this process are taken`);
}
