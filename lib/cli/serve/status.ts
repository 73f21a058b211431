import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOn, type Listening } from '../../listen/index.js';
import type { Request } from 'express';
import type { EndpointDirectory } from '../../directory/directory.js';
import type { EndpointProvider, EndpointQuery } from '../../index.js';
import { listed } from '../../listing/listed.js';
import type { ServerRole } from '../../options/role.js';
import { metricFamily, RequestCount, sample } from './metrics.js';

const STATES = ['live', 'stale', 'expired', 'closed'] as const;
/** How long a provider may take that heeds its signal. */
const LIMIT_MS = 5000;
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the status is taken from, once the server serves. */
export interface Served {
  readonly role: ServerRole;
  /** The directory that holds the list of Coordinators, where one does. */
  readonly directory: Pick<EndpointDirectory, 'status'> | undefined;
  /** Both listings; nothing of it reads the request. */
  readonly endpoints: (query: Pick<EndpointQuery, keyof EndpointQuery>) => ReturnType<EndpointProvider>;
}

/** `GET /live`, `GET /ready` and `GET /metrics`, on endpoints of their own: for an orchestrator and for Prometheus. */
export class Status {
  readonly requests = new RequestCount();
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';
  #served: Served | undefined;
  #listening: Listening | undefined;

  /** Answers from now on: a server that waits for its registry is not ready, and says so. */
  async open(endpoints: readonly string[]): Promise<readonly string[]> {
    this.#listening = await listenOn((req, res) => void this.#answer(req, res), endpoints);
    return this.#listening.endpoints();
  }

  /** The server serves. */
  serving(served: Served): void {
    this.#served = served;
    this.#phase = 'serving';
  }

  /** The server has left the list, or is about to. */
  stopping(): void {
    this.#phase = 'stopping';
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method, url } = req;
    const path = String(url).replace(/\?.*/s, '');
    if (path !== '/live' && path !== '/ready' && path !== '/metrics') {
      sendText(res, 404, 'application/json', jsonLine({ error: 'unknown path' }));
    } else if (method !== 'GET' && method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      sendText(res, 405, 'application/json', jsonLine({ error: 'only GET and HEAD' }));
    } else if (path === '/live') {
      // Whoever is answered knows: the process runs, and its event loop turns. Waiting for a registry is alive.
      sendText(res, 200, 'application/json', jsonLine({ live: true, phase: this.#phase }));
    } else if (path === '/ready') {
      const reason = this.#reason();
      sendText(
        res,
        reason === undefined ? 200 : 503,
        'application/json',
        jsonLine({ ready: reason === undefined, reason }),
      );
    } else {
      sendText(res, 200, METRICS_TYPE, await this.#metrics(req));
    }
  }

  /** Why the server is not ready. */
  #reason(): string | undefined {
    if (this.#phase !== 'serving') return this.#phase;
    const state = this.#served?.directory?.status().state;
    return state === 'expired' || state === 'closed' ? `the list of coordinators is ${state}` : undefined;
  }

  /** A sample for each listing as it is answered, but none while it is a 500: no figure is better than a wrong one. */
  async #listed(req: IncomingMessage): Promise<string[]> {
    const served = this.#served;
    if (served === undefined) return [];
    const listings = served.role === 'coordinator' ? (['cluster', 'server'] as const) : (['server'] as const);
    const samples = listings.map(async (listing) => {
      try {
        const query = { listing, database: '_system', req: req as Request, signal: AbortSignal.timeout(LIMIT_MS) };
        const { endpoints, isAllSkipped } = listed(listing, await served.endpoints(query));
        return isAllSkipped ? [] : [sample('endpoints', { listing }, endpoints.length)];
      } catch {
        return [];
      }
    });
    return (await Promise.all(samples)).flat();
  }

  async #metrics(req: IncomingMessage): Promise<string> {
    const directory = this.#served?.directory?.status();
    const listed = await this.#listed(req);
    const states = STATES.map((state) => sample('directory_state', { state }, state === directory?.state ? 1 : 0));
    return [
      metricFamily('ready', 'gauge', '1 while the server is ready.', [
        sample('ready', {}, this.#reason() === undefined ? 1 : 0),
      ]),
      metricFamily('endpoints', 'gauge', 'Endpoints on each listing.', listed),
      metricFamily(
        'directory_state',
        'gauge',
        '1 for the state of the list of Coordinators.',
        directory === undefined ? [] : states,
      ),
      metricFamily(
        'directory_age_seconds',
        'gauge',
        'Seconds since the registry last confirmed the list.',
        directory === undefined ? [] : [sample('directory_age_seconds', {}, directory.ageMs / 1000)],
      ),
      this.requests.text(),
    ].join('');
  }
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function sendText(res: ServerResponse, status: number, type: string, text: string): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(text);
}
