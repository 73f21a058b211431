import { renameSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** A server on a socket file; it takes connections and says nothing. */
export async function startOnSocketFile(path: string): Promise<Server> {
  const server = createServer((socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

/** The socket file that a server leaves when it is killed. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const server = await startOnSocketFile(`${path}.x`);
  renameSync(`${path}.x`, path);
  await new Promise((resolve) => server.close(resolve));
}
