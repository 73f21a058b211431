import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Certificate } from '../certificate.js';
import { end } from '../process/child.js';
import { listenCuttable } from '../process/cuttable.js';
import { freePort } from '../process/free-port.js';

/** A server that accepts connections until its process is stopped; then the kernel does, as long as its queue has room. */
const LISTENER = `const server = require('node:net').createServer();
server.listen(0, '127.0.0.1', Number(process.argv[1]), () => console.log(server.address().port));`;

/** Servers that are on one list, each in a state of its own. All that answer, answer with the list. */
export class ListedServers {
  /** What they list: entries of any shape. */
  list: readonly unknown[] = [];
  readonly #cleanups: (() => Promise<unknown>)[] = [];

  readonly answer: RequestListener = (_req, res) =>
    this.json(200, { error: false, code: 200, endpoints: this.list.map(entryOf) })(_req, res);

  json(status: number, body: unknown): RequestListener {
    return (_req, res) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  }

  /** One that answers without TLS. */
  plain(answer: RequestListener = this.answer, host = '127.0.0.1'): Promise<string> {
    return this.#listen(createServer(answer), 'tcp', host);
  }

  secure(certificate: Certificate, answer: RequestListener = this.answer): Promise<string> {
    return this.#listen(createHttpsServer({ ...certificate }, answer), 'ssl');
  }

  http2(): Promise<string> {
    return this.#listen(createHttp2Server(), 'tcp');
  }

  secureHttp2(certificate: Certificate): Promise<string> {
    return this.#listen(createSecureServer({ ...certificate }), 'ssl');
  }

  /** One that does with each connection what the test says. */
  connections(onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<string> {
    return this.#listen(createTcpServer(onConnection), 'tcp', host);
  }

  /** One that was there, and has gone. */
  async gone(): Promise<string> {
    return `tcp://127.0.0.1:${String(await freePort())}`;
  }

  /** A stopped process: the kernel connects, and nobody answers. */
  async frozen(backlog = 100): Promise<string> {
    const child = spawn(process.execPath, ['-e', LISTENER, String(backlog)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#cleanups.push(() => end(child));
    const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    child.kill('SIGSTOP');
    return `tcp://127.0.0.1:${port.trim()}`;
  }

  /** A stopped process with a full queue: the kernel drops what asks for a connection, as a firewall does. */
  async blackHole(): Promise<string> {
    const endpoint = await this.frozen(1);
    const { port } = new URL(endpoint);
    for (let count = 0; count < 8; count += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      this.#cleanups.push(() => Promise.resolve(socket.destroy()));
    }
    return endpoint;
  }

  async close(): Promise<void> {
    await Promise.all(this.#cleanups.splice(0).map((cleanup) => cleanup()));
    this.list = [];
  }

  async #listen(server: Server, scheme: string, host = '127.0.0.1'): Promise<string> {
    const { port, close } = await listenCuttable(server, host);
    this.#cleanups.push(close);
    return `${scheme}://${host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  }
}

function entryOf(item: unknown): unknown {
  return typeof item === 'string' ? { endpoint: item } : item;
}

/** Servers for each test of a file, closed behind it. */
export function useListedServers(): ListedServers {
  const servers = new ListedServers();
  afterEach(() => servers.close());
  return servers;
}

/** Writes `100 Continue` as fast as the other side reads, until that hangs up. */
export function foreverContinue(socket: Socket): void {
  const many = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000);
  const more = (): void => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on('drain', more);
  more();
}
