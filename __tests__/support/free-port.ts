import { createServer } from 'node:net';
import { startOnFreePort } from './conversation.js';

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await startOnFreePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
