import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import express from 'express';
import { createListingPage, type PageDirectory } from '../../../lib/page/index.js';
import type { DirectoryStatus, EntryCheck } from '../../../lib/directory/directory.js';
import type { Certificate } from '../certificate.js';
import { freePort } from '../process/free-port.js';

/** A coordinator with a page, whose list, directory and life are in the hands of the test. */
export class PageHost extends EventEmitter implements PageDirectory {
  list: readonly string[] = [];
  own: readonly string[] = ['tcp://127.0.0.1:8529', 'unix:///run/listing.sock', 'tcp://0.0.0.0:8530'];
  state: DirectoryStatus['state'] = 'live';
  ageMs = 1000;
  lastError: string | undefined;
  /** What health checks say of endpoints; none of one that is not here. */
  health: readonly (Omit<EntryCheck, 'since'> & { endpoint: string; ageMs: number })[] = [];
  title = 'Endpoint listing';
  showSources = false;
  /** The requests for the document so far. */
  visits = 0;
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `${this.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${String(this.#port)}/`;
  }

  constructor(readonly certificate?: Certificate) {
    super();
  }

  status(): ReturnType<PageDirectory['status']> {
    const { state, ageMs, lastError, health } = this;
    return {
      ...{ count: 0, down: 0, skipped: 0, relists: 0, events: 0, state, ageMs },
      entries: health.map(({ endpoint, ageMs, ...check }) => {
        const since = Date.now() - ageMs;
        const state = this.list.includes(endpoint) ? 'listed' : 'down';
        return { source: endpoint, endpoint, state, since, check: { ...check, since } };
      }),
      ...(lastError !== undefined && { lastError }),
    };
  }

  change(list: readonly string[]): void {
    this.list = list;
    this.emit('change', list);
  }

  /** Starts it, again at the port that it had. */
  async start(): Promise<void> {
    const { title, showSources } = this;
    const page = createListingPage({
      endpoints: ({ listing }) => (listing === 'cluster' ? this.list : this.own),
      role: 'coordinator',
      directory: this,
      title,
      showSources,
    });
    const app = express().use((req, _res, next) => {
      if (req.path === '/') this.visits += 1;
      next();
    }, page);
    this.#server = this.certificate === undefined ? createServer(app) : createHttpsServer({ ...this.certificate }, app);
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
