import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { freePort } from '../process/free-port.js';
import { EtcdError, type FakeAuth, FakeEtcdAnswers } from './fake-etcd-answers.js';
import { FakeEtcdStore } from './fake-etcd-store.js';

/** A request, as a test may answer it in the gateway's place. */
export interface EtcdRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** `v1`: as grpc-gateway v1 answers (etcd 3.4 and 3.5). `v2`: as grpc-gateway v2 does (etcd 3.6). */
export type GatewayShape = 'v1' | 'v2';

const PREFIX = '/coordinators/';
const keyOf = (endpoint: string): string => Buffer.from(PREFIX + endpoint).toString('base64');

/** etcd's JSON gateway with one member and no disk, on a port that the system chooses. */
export class FakeEtcdGateway {
  readonly store = new FakeEtcdStore();
  readonly answers = new FakeEtcdAnswers(this.store);
  /** What was asked, in order. */
  readonly asked: EtcdRequest[] = [];
  /** Answers a request in place of the gateway: `true` when it has. */
  override: (request: EtcdRequest) => boolean | Promise<boolean> = () => false;
  /** Sends a text of a watch; a test may cut it into pieces. */
  send: (res: ServerResponse, text: string) => void = (res, text) => void res.write(text);
  auth: FakeAuth | undefined;
  readonly #server: Server;
  readonly #watches = new Set<() => void>();
  readonly #shape: GatewayShape;

  constructor(shape: GatewayShape = 'v1', tls?: ServerOptions) {
    this.#shape = shape;
    const handle = (req: IncomingMessage, res: ServerResponse): void => void this.#handle(req, res);
    this.#server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.store.onChange = () => {
      for (const tell of this.#watches) tell();
    };
  }

  async listen(host = '127.0.0.1', port?: number): Promise<string> {
    this.#server.listen(port ?? (await freePort()), host);
    await once(this.#server, 'listening');
    return this.url;
  }

  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    const scheme = 'setSecureContext' in this.#server ? 'https' : 'http';
    return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops and breaks every connection, as a killed process does. */
  async kill(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Breaks every connection, but goes on. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  put(...endpoints: readonly string[]): void {
    for (const endpoint of endpoints) this.store.put(keyOf(endpoint));
  }

  delete(...endpoints: readonly string[]): void {
    this.store.delete(...endpoints.map(keyOf));
  }

  /** What stands behind the prefix, sorted. */
  get endpoints(): string[] {
    return [...this.store.keys.keys()].map((key) => Buffer.from(key, 'base64').toString().slice(PREFIX.length)).sort();
  }

  /** How many watches there are now. */
  get watches(): number {
    return this.#watches.size;
  }

  /** How often a path was asked for. */
  count(path: string): number {
    return this.asked.filter((request) => request.path === path).length;
  }

  /** Gives this answer from now on in place of its own: to each request, or to those for a path. */
  instead(answer: EtcdError | readonly [status: number, body: object | string], path?: string): void {
    this.override = ({ path: asked, res }) => {
      if (path !== undefined && asked !== path) return false;
      if (answer instanceof EtcdError) this.refuse(res, answer);
      else reply(res, ...answer);
      return true;
    };
  }

  refuse(res: ServerResponse, { code, message, status }: EtcdError): void {
    const v1 = { error: message, message, code };
    reply(res, status, this.#shape === 'v1' ? v1 : { code, message, details: [] });
  }

  /** An error in the middle of a stream. */
  streamError({ code, message, status }: EtcdError): object {
    const v1 = { grpc_code: code, http_code: status, message, http_status: 'Service Unavailable' };
    return { error: this.#shape === 'v1' ? v1 : { code, message, details: [] } };
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await bodyOf(req);
    if (body === undefined) {
      reply(res, 400, { error: 'no JSON', message: 'no JSON', code: 3 });
      return;
    }
    const request: EtcdRequest = { path: String(req.url), body, req, res };
    this.asked.push(request);
    if (await this.override(request)) return;
    try {
      this.#answer(request);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      this.refuse(res, error);
    }
  }

  #answer({ path, body, req, res }: EtcdRequest): void {
    if (path === '/v3/auth/authenticate') {
      reply(res, 200, this.answers.authenticate(body, this.auth));
      return;
    }
    this.answers.authorise(req.headers.authorization, this.auth);
    if (path === '/v3/watch') this.#watch(body['create_request'] as { start_revision: string }, res);
    else reply(res, 200, this.answers.answer(path, body));
  }

  #watch({ start_revision }: { start_revision: string }, res: ServerResponse): void {
    let next = BigInt(start_revision);
    const tell = (): void => {
      const events = this.store.history.filter(({ revision }) => revision >= next);
      if (events.length === 0) return;
      next = this.store.revision + 1n;
      this.send(res, `${JSON.stringify(this.answers.events(events))}\n`);
    };
    res.writeHead(200, { 'Content-Type': 'application/json' });
    this.send(res, `${JSON.stringify(this.answers.created())}\n`);
    this.#watches.add(tell);
    res.once('close', () => this.#watches.delete(tell));
    tell();
  }
}

/** Nothing for a request that is cut, or that is not for etcd: any process of the machine may use a port that it had before. */
async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

export function reply(res: ServerResponse, status: number, body: object | string): void {
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(typeof body === 'string' ? body : JSON.stringify(body));
}
