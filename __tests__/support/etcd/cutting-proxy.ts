import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on loopback that breaks connections where a test wants it. */
export class CuttingProxy {
  /** Bytes that may still come back from the target before all connections are broken; `Infinity`: no limit. */
  budget = Infinity;
  /** Takes connections, but passes nothing on. */
  silent = false;
  /** Local ports of connections to the target that pass nothing on for ever, as when a firewall has forgotten them. */
  readonly #forgotten = new Set<number | undefined>();
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
        if (!this.#isSilent(target)) target.write(bytes);
      });
      target.on('data', (bytes) => {
        if (!this.#isSilent(target)) this.#give(client, bytes);
      });
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Silences a connection for good, by its port at the target; those to come work. */
  forget(port: number | undefined): void {
    this.#forgotten.add(port);
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

  #isSilent(target: Socket): boolean {
    return this.silent || this.#forgotten.has(target.localPort);
  }

  #give(client: Socket, bytes: Buffer): void {
    const part = bytes.subarray(0, this.budget);
    this.budget -= part.length;
    if (this.budget > 0) {
      client.write(part);
      return;
    }
    this.budget = Infinity;
    client.end(part, () => {
      this.cut();
    });
  }
}
