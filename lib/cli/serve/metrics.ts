import type { IncomingMessage, ServerResponse } from 'node:http';

/** The upper bounds of the histogram, in seconds: from an answer out of memory to the longest that a provider may take. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

type Labels = Readonly<Record<string, string>>;

/** What one route has been asked. */
interface RouteCount {
  readonly byStatus: Map<string, number>;
  /** Requests up to each bound of {@link BUCKETS}. */
  readonly buckets: number[];
  seconds: number;
  count: number;
}

/** Counts the requests of an application by route and status, and how long they took. */
export class RequestCount {
  readonly #routes = new Map<string, RouteCount>();

  /** Stands before everything else. */
  readonly middleware = (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const startedAt = performance.now();
    const route = routeOf(String(req.url));
    // Also of a client that has left.
    res.once('close', () => {
      this.#add(
        route,
        res.writableFinished ? String(res.statusCode) : 'aborted',
        (performance.now() - startedAt) / 1000,
      );
    });
    next();
  };

  /** In the text format of Prometheus. */
  text(): string {
    const routes = [...this.#routes];
    const requests = routes.flatMap(([route, { byStatus }]) =>
      [...byStatus].map(([status, count]) => sample('requests_total', { route, status }, count)),
    );
    const durations = routes.flatMap(([route, { buckets, seconds, count }]) => [
      ...BUCKETS.map((bound, index) =>
        sample('request_duration_seconds_bucket', { route, le: String(bound) }, Number(buckets[index])),
      ),
      sample('request_duration_seconds_bucket', { route, le: '+Inf' }, count),
      sample('request_duration_seconds_sum', { route }, seconds),
      sample('request_duration_seconds_count', { route }, count),
    ]);
    return (
      metricFamily('requests_total', 'counter', 'Requests by route and status.', requests) +
      metricFamily(
        'request_duration_seconds',
        'histogram',
        'Seconds from a request to the end of its answer.',
        durations,
      )
    );
  }

  #add(route: string, status: string, seconds: number): void {
    let counts = this.#routes.get(route);
    if (counts === undefined) {
      counts = { byStatus: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0, count: 0 };
      this.#routes.set(route, counts);
    }
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) counts.buckets[index] = Number(counts.buckets[index]) + 1;
    });
    counts.seconds += seconds;
    counts.count += 1;
  }
}

/** A few routes, so that whoever asks for random paths does not fill the memory. */
function routeOf(url: string): string {
  const path = url.replace(/\?.*/s, '');
  if (/\/_api\/cluster\/endpoints\/?$/.test(path)) return 'cluster';
  if (/\/_api\/endpoint\/?$/.test(path)) return 'server';
  return path === '/' || /^\/listing-page\.(?:js|css)$/.test(path) ? 'page' : 'other';
}

/** One family of metrics; nothing when it has no sample. */
export function metricFamily(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly string[],
): string {
  if (samples.length === 0) return '';
  return `# HELP endpoint_listing_${name} ${help}\n# TYPE endpoint_listing_${name} ${type}\n${samples.join('')}`;
}

/** One value; the labels are words of our own, which need no escaping. */
export function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `endpoint_listing_${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}\n`;
}
