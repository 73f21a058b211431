import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { startOnFreePort } from '../process/free-port.js';

/** A TCP proxy on loopback that breaks connections where a test wants it. */
export class CuttingProxy {
  /** Bytes that may still come back from the target before all connections are broken; `Infinity`: no limit. */
  budget = Infinity;
  /** Takes connections, but passes nothing on. */
  silent = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1');
      for (const socket of [client, target]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          target.destroy();
        });
      }
      client.on('data', (bytes) => {
        if (!this.silent) target.write(bytes);
      });
      target.on('data', (bytes) => {
        if (!this.silent) this.#give(client, bytes);
      });
    });
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${String(await startOnFreePort(this.#server))}`;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #give(client: Socket, bytes: Buffer): void {
    const part = bytes.subarray(0, this.budget);
    this.budget -= part.length;
    if (this.budget > 0) {
      client.write(part);
      return;
    }
    this.budget = Infinity;
    client.end(part, () => this.cut());
  }
}
