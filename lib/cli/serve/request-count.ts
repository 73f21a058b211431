import type { IncomingMessage, ServerResponse } from 'node:http';

/** The upper bounds of the histogram, in seconds: from a response from memory to the longest that a provider may take. */
export const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Counted from 0: a rate needs the value before the first. */
const EXPECTED = ['200', '500', '503'];

/** The requests for one route. */
export interface RouteCount {
  readonly byStatus: Map<string, number>;
  /** Requests up to each bound of {@link BUCKETS}. */
  readonly buckets: number[];
  seconds: number;
  count: number;
}

/** Counts the requests of an application by route and status, and how long they took. */
export class RequestCount {
  readonly #routes = new Map(['cluster', 'server'].map((route) => [route, noRequests()]));

  /** Mount it before everything else. */
  readonly middleware = (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const startedAt = performance.now();
    const route = routeOf(String(req.url));
    // Also of a client that has left.
    res.once('close', () =>
      this.#add(
        route,
        res.writableFinished ? String(res.statusCode) : 'aborted',
        (performance.now() - startedAt) / 1000,
      ),
    );
    next();
  };

  /** The requests for each route so far. */
  counted(): ReadonlyMap<string, RouteCount> {
    return this.#routes;
  }

  #add(route: string, status: string, seconds: number): void {
    const counts = this.#routes.get(route) ?? noRequests();
    this.#routes.set(route, counts);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) counts.buckets[index] = Number(counts.buckets[index]) + 1;
    });
    counts.seconds += seconds;
    counts.count += 1;
  }
}

function noRequests(): RouteCount {
  return {
    byStatus: new Map(EXPECTED.map((status) => [status, 0])),
    buckets: BUCKETS.map(() => 0),
    seconds: 0,
    count: 0,
  };
}

/** A few routes, so that requests for random paths do not fill the memory. */
function routeOf(url: string): string {
  const path = url.replace(/\?.*/s, '');
  if (/\/_api\/cluster\/endpoints\/?$/.test(path)) return 'cluster';
  if (/\/_api\/endpoint\/?$/.test(path)) return 'server';
  return path === '/' || /^\/listing-page\.(?:js|css)$/.test(path) ? 'page' : 'other';
}
