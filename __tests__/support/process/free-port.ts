import { createServer, type AddressInfo, type Server } from 'node:net';

/** Starts a server on a free port of loopback; the port. */
export async function startOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await startOnFreePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
