import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/**
 * Sends the bytes of one request, and returns all bytes of the answer up to the end of the connection, as text. The Date line is
 * taken out: it is the only one that changes.
 */
export async function rawAnswer(server: Server, request: string): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request, 'latin1');
  await once(socket, 'close');
  server.close();
  return Buffer.concat(chunks)
    .toString()
    .replace(/Date: [^\r]*\r\n/, '');
}

/** The bytes of a request without a body, after which the server is to close the connection. */
export function request(method: string, target: string, ...headers: string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: test', 'Connection: close', ...headers, '', ''].join('\r\n');
}
