import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request } from 'express';
import type { EndpointProvider, EndpointQuery } from '../../index.js';
import { listenOn, type Listening } from '../../listen/index.js';
import { listedInTurns } from '../../listing/listed.js';
import type { ServerRole } from '../../options/role.js';
import { VERSION } from '../output.js';
import type { EndpointDirectory } from '../../directory/directory.js';
import type { ClientList } from './client-list.js';
import type { Coordinators } from './coordinators.js';
import { metricsText, type ListSnapshot } from './metrics.js';
import { RequestCount } from './request-count.js';

/** How long a provider that heeds its signal may take. */
const LIMIT_MS = 5000;
const JSON_TYPE = 'application/json';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the status says of a server from the start. */
export interface Served {
  readonly role: ServerRole;
  /** Whether this server registers somewhere. */
  readonly registers: boolean;
}

/** The sources of the status, once the server serves. */
export interface Serving extends Pick<Coordinators, 'isRegistered'> {
  readonly lists: () => readonly ServedList[];
}

/** Both listings for some clients. */
interface ServedList {
  readonly horizon: ClientList['horizon'];
  readonly unusedRules: () => number;
  readonly directory: Pick<EndpointDirectory, 'status'>;
  /** Nothing of it reads the request. */
  readonly provider: (query: Pick<EndpointQuery, keyof EndpointQuery>) => ReturnType<EndpointProvider>;
}

/** How the lists for some clients stand. */
interface Standing extends ListSnapshot {
  /** The horizon of these clients, for a sentence. */
  readonly whose: string;
  /** Why the cluster route of a Coordinator answers them with no list. */
  readonly failure: string | undefined;
}

/** What `GET /ready` says of a list. */
interface Ready {
  readonly healthy?: number;
  readonly listed?: number | undefined;
}

/** The outcome of a listing: how many endpoints it has, or why it is no 200. */
type Answer = { readonly count: number; readonly failure?: never } | { readonly count: 0; readonly failure: string };

/** `GET /live`, `GET /ready` and `GET /metrics`, on separate endpoints: for an orchestrator and for Prometheus. */
export class Status {
  readonly requests = new RequestCount();
  readonly #reloads = { success: 0, failure: 0 };
  readonly #served: Served;
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';
  #serving: Serving | undefined;
  #listening: Listening | undefined;

  constructor(served: Served) {
    this.#served = served;
  }

  /** Responds from now on: a server that waits for its registry says that it is not ready. */
  async open(endpoints: readonly string[]): Promise<readonly string[]> {
    this.#listening = await listenOn((req, res) => void this.#answer(req, res), endpoints);
    return this.#listening.endpoints();
  }

  /** The server serves. */
  serving(serving: Serving): void {
    this.#serving = serving;
    this.#phase = 'serving';
  }

  /** The server has left the list, or is about to. */
  stopping(): void {
    this.#phase = 'stopping';
  }

  /** A reload is over. */
  reloaded(isSuccess: boolean): void {
    this.#reloads[isSuccess ? 'success' : 'failure'] += 1;
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method, url } = req;
    const path = String(url).replace(/\?.*/s, '');
    if (path !== '/live' && path !== '/ready' && path !== '/metrics') {
      sendText(res, 404, JSON_TYPE, jsonLine({ error: 'unknown path' }));
    } else if (method !== 'GET' && method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      sendText(res, 405, JSON_TYPE, jsonLine({ error: 'only GET and HEAD' }));
    } else if (path === '/live') {
      // A response says it: the process runs, and its event loop turns. Waiting for a registry is alive.
      sendText(res, 200, JSON_TYPE, jsonLine({ live: true, phase: this.#phase }));
    } else if (path === '/ready') {
      const readiness = this.#readiness(await this.#standings(req, false));
      sendText(res, readiness.ready ? 200 : 503, JSON_TYPE, jsonLine(readiness));
    } else {
      sendText(res, 200, METRICS_TYPE, await this.#metrics(req));
    }
  }

  /** Those of all clients that are in no horizon come first. */
  #standings(req: IncomingMessage, hasServer = true): Promise<readonly Standing[]> {
    const lists = this.#serving?.lists() ?? [undefined];
    return Promise.all(lists.map((list) => this.#standing(list, req, hasServer)));
  }

  async #standing(list: ServedList | undefined, req: IncomingMessage, hasServer: boolean): Promise<Standing> {
    const isCoordinator = this.#served.role === 'coordinator';
    const [cluster, server] = await Promise.all([
      isCoordinator ? answerOf('cluster', list, req) : undefined,
      hasServer ? answerOf('server', list, req) : undefined,
    ]);
    const horizon = list?.horizon;
    const status = isCoordinator ? list?.directory.status() : undefined;
    const isOver = status?.state === 'expired' || status?.state === 'closed';
    return {
      horizon,
      whose: horizon === undefined ? '' : `horizon ${horizon}: `,
      failure: isOver ? `the list of coordinators is ${status.state}` : cluster?.failure,
      listed: { ...(cluster && { cluster: cluster.count }), ...(server && { server: server.count }) },
      list: status,
      unusedRules: list?.unusedRules() ?? 0,
    };
  }

  /** A server is ready if its route would respond to everybody with a list; a Coordinator adds how many are listed and healthy. */
  #readiness(standings: readonly Standing[]): { ready: boolean; reason?: string } & Ready {
    if (this.#phase !== 'serving') return { ready: false, reason: this.#phase };
    for (const { whose, failure } of standings) {
      if (failure !== undefined) return { ready: false, reason: `${whose}${failure}` };
    }
    if (this.#served.role !== 'coordinator') return { ready: true };
    const readyOf = ({ list, listed }: Standing): Ready => ({
      ...(list?.healthy !== undefined && { healthy: list.healthy }),
      listed: listed['cluster'],
    });
    const [others] = standings.map(readyOf);
    return {
      ready: true,
      ...others,
      ...(standings.length > 1 && {
        horizons: Object.fromEntries(standings.slice(1).map((one) => [String(one.horizon), readyOf(one)])),
      }),
    };
  }

  async #metrics(req: IncomingMessage): Promise<string> {
    const [lists, lagMs] = await Promise.all([this.#standings(req), lag()]);
    const { user, system } = process.cpuUsage();
    return metricsText({
      version: VERSION,
      nodeVersion: process.version,
      isReady: this.#readiness(lists).ready,
      lists,
      now: Date.now(),
      isRegistered: this.#served.registers ? this.#serving?.isRegistered?.() === true : undefined,
      reloads: this.#reloads,
      requests: this.requests.counted(),
      process: {
        cpuSeconds: (user + system) / 1e6,
        residentBytes: process.memoryUsage.rss(),
        startedAt: performance.timeOrigin,
        lagMs,
      },
    });
  }
}

/** What a listing comes to now. */
async function answerOf(
  listing: EndpointQuery['listing'],
  list: ServedList | undefined,
  req: IncomingMessage,
): Promise<Answer> {
  try {
    const query = { listing, database: '_system', req: req as Request, signal: AbortSignal.timeout(LIMIT_MS) };
    const given: unknown = await (list?.provider(query) ?? []);
    const { endpoints, isAllSkipped, skippedBefore, skippedHere } = await listedInTurns(listing, given);
    if (!isAllSkipped) return { count: endpoints.length };
    const [first] = [...skippedBefore, ...skippedHere.map(({ refusal }) => refusal)];
    return { count: 0, failure: `everything on the list of coordinators is skipped: ${String(first?.message)}` };
  } catch (error) {
    return { count: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** How late a turn of the event loop is. */
async function lag(): Promise<number> {
  const askedAt = performance.now();
  await turn();
  return performance.now() - askedAt;
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
