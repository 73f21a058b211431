import { connect, type AddressInfo, type Server } from 'node:net';

/** Starts a server on a free port of loopback; the port. */
export async function startOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends text to a server, and returns all that comes until the server closes the connection. */
export function converse(to: { port: number; host: string } | { path: string }, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, () => socket.write(sent));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => {
      resolve(received);
    });
  });
}
