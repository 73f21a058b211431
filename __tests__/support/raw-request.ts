import type { Express } from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exchangeBytes } from '../../hostile/raw-connection.js';
import { serve } from './host.js';

/** Sends the bytes of a request to a host application over a socket; resolves with every byte that came back, once it is closed. */
export async function rawRequest(app: Express, request: string): Promise<string> {
  const server = serve(app).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { bytes } = await exchangeBytes(port, { chunks: [Buffer.from(request, 'latin1')], halfCloses: false });
    return bytes.toString('latin1').replace(/^Date: .*\r\n/gm, '');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The bytes of a GET that asks for the connection to be closed behind the answer. */
export function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}
