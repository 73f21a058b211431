import type { Request } from 'express';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { createAnswer, type Answer } from './answer.js';
import type { Report } from './failures.js';
import { copyOf, createListMemory, isSameList, skippedIn, type Entries } from './lists.js';
import type { EndpointQuery } from './provider.js';

/** Body of a 200 of `GET /_api/cluster/endpoints`. */
export interface ClusterEndpointsBody {
  readonly error: false;
  readonly code: 200;
  readonly endpoints: readonly { readonly endpoint: string }[];
}

/** Body of a 200 of `GET /_api/endpoint`. */
export type EndpointListBody = readonly { readonly endpoint: string }[];

/** One of the two listings of a router. */
export interface Listing {
  /** The answer that lists what a provider gave. Throws when it is not a list, or has entries and none can be listed. */
  answerFor(given: unknown, req: Request): Answer;
}

/** One list, and what became of it. */
interface Rendered {
  readonly list: Entries;
  readonly answer: Answer;
  readonly hasEndpoints: boolean;
  /** Why its maker skipped entries, and why we did. */
  readonly skippedBefore: readonly Error[];
  readonly skippedHere: readonly Error[];
  /** Whether nothing is left to report. */
  isReported: boolean;
}

/**
 * Creates a listing that serialises once per change: the bytes of a body serve again while the list is the same, at once for one
 * of the last few frozen arrays, otherwise after a look at every entry, so that an array changed in place is never served stale.
 */
export function createListing(kind: EndpointQuery['listing'], report: Report): Listing {
  const reportSkipped = createSkippedReport(kind, report);
  const memory = createListMemory<Rendered>();
  let last: Rendered | undefined;

  function rendered(given: unknown): Rendered {
    // A Set or a generator can be compared only once it is copied.
    const list: Entries = Array.isArray(given) ? given : copyOf(given);
    const skippedBefore = skippedIn(given as object);
    if (last === undefined || !isSameList(list, last.list)) {
      return render(kind, list === given ? copyOf(list) : list, skippedBefore);
    }
    if (skippedBefore === last.skippedBefore) return last;
    return { ...last, skippedBefore, isReported: false };
  }

  return {
    answerFor(given, req) {
      const known = memory.get(given);
      last = known ?? rendered(given);
      if (known === undefined) memory.set(given, last);
      if (!last.hasEndpoints) throw skippedError(NONE_LISTED, refusalsOf(last));
      last.isReported ||= reportSkipped(refusalsOf(last), req);
      return last.answer;
    },
  };
}

function render(kind: EndpointQuery['listing'], list: Entries, skippedBefore: readonly Error[]): Rendered {
  const canonical = kind === 'cluster' ? coordinatorEndpoint : serverEndpoint;
  const endpoints = new Set<string>();
  const skippedHere: Error[] = [];
  for (const entry of list) {
    try {
      endpoints.add(canonical(entry as string));
    } catch (refusal) {
      skippedHere.push(withoutStack(refusal as Error));
    }
  }
  const entries = Array.from(endpoints, (endpoint) => ({ endpoint }));
  const body =
    kind === 'cluster'
      ? ({ error: false, code: 200, endpoints: entries } satisfies ClusterEndpointsBody)
      : (entries satisfies EndpointListBody);
  const wasEmpty = list.length === 0 && skippedBefore.length === 0;
  return {
    list,
    answer: createAnswer(kind, 200, body),
    hasEndpoints: endpoints.size > 0 || wasEmpty,
    skippedBefore,
    skippedHere,
    isReported: false,
  };
}

/** All stacks lead to the loop above: without them, a printed report is short enough to be read. */
function withoutStack(refusal: Error): Error {
  return Object.defineProperty(refusal, 'stack', { value: `${refusal.name}: ${refusal.message}` });
}

const refusalsOf = ({ skippedBefore, skippedHere }: Rendered): readonly Error[] => [...skippedBefore, ...skippedHere];

const NONE_LISTED = 'none of the endpoints that the provider gave can be listed';
/** A log entry with more lines than this is not read. */
const MAX_LINES = 20;

/** An error that holds the first few refusals: with a thousand of them, nobody could read what is printed. */
function skippedError(title: string, refusals: readonly Error[]): AggregateError {
  return new AggregateError(refusals.slice(0, MAX_LINES), title);
}

/** Changes that are reported in ten minutes, for a provider that skips other entries on every request. */
const MAX_REPORTS = 10;
const TEN_MINUTES = 600_000;

/**
 * Creates the report of the entries that were skipped: once, and again only when they are other ones, because the routes are
 * polled and must not flood a log. It answers `false` when the entries have to wait for the end of the ten minutes.
 */
function createSkippedReport(
  kind: EndpointQuery['listing'],
  report: Report,
): (refusals: readonly Error[], req: Request) => boolean {
  let lastReported = '';
  let reports = 0;
  let periodStart = -Infinity;

  function mayReport(): boolean {
    const now = performance.now();
    if (now - periodStart >= TEN_MINUTES) {
      periodStart = now;
      reports = 0;
    }
    reports += 1;
    return reports <= MAX_REPORTS;
  }

  return function reportSkipped(refusals, req) {
    const lines = [...new Set(refusals.map(({ message }) => message))].sort();
    const text = lines.join('\n');
    if (text === lastReported) return true;
    if (lines.length > 0) {
      if (!mayReport()) return false;
      const more = lines.length > MAX_LINES ? [`and ${String(lines.length - MAX_LINES)} more`] : [];
      const title = `skipped in the ${kind} listing:`;
      report(skippedError([title, ...lines.slice(0, MAX_LINES), ...more].join('\n'), refusals), req);
    }
    lastReported = text;
    return true;
  };
}
