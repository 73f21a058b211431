import type { Request } from 'express';
import { listed, NONE_LISTED } from '../listing/listed.js';
import { copyOf, isSameList, skippedIn, type Entries } from '../listing/lists.js';
import { titled } from '../text/shown.js';
import { createAnswer, type Answer } from './answer.js';
import type { Report } from './failures.js';
import { ListCache } from './list-cache.js';
import type { EndpointQuery } from './provider.js';

/** Body of a 200 of `GET /_api/cluster/endpoints`. */
export interface ClusterEndpointsBody {
  readonly error: false;
  readonly code: 200;
  readonly endpoints: readonly { readonly endpoint: string }[];
}

/** Body of a 200 of `GET /_api/endpoint`. */
export type EndpointListBody = readonly { readonly endpoint: string }[];

interface Rendered {
  readonly list: Entries;
  /** The entries that its source skipped. */
  readonly skippedBefore: readonly Error[];
  readonly answer: Answer;
  readonly isAllSkipped: boolean;
  /** Why its source and the router skipped entries. */
  readonly refusals: readonly Error[];
  /** Whether nothing is left to report. */
  isReported: boolean;
}

/**
 * Creates a listing that serializes once per change. It reuses the bytes while the list is the same: at once for one of the last few frozen
 * arrays, otherwise after comparing every entry, so that an array changed in place is never served stale.
 *
 * @returns The response for a provider's list. Throws if it is not a list, or if it has entries but none can be listed.
 */
export function createListing(
  kind: EndpointQuery['listing'],
  report: Report,
): (given: unknown, req: Request) => Answer {
  const reportSkipped = createSkippedReport(kind, report);
  const cache = new ListCache<Rendered>();
  let last: Rendered | undefined;

  function rendered(given: unknown): Rendered {
    // A Set or a generator must be copied before it can be compared.
    const list: Entries = Array.isArray(given) ? given : copyOf(given);
    if (last === undefined || !isSameList(list, last.list)) return render(kind, list);
    return isSameList(skippedIn(list), last.skippedBefore) ? last : render(kind, list);
  }

  return function answerFor(given, req) {
    const known = cache.get(given);
    last = known ?? rendered(given);
    if (known === undefined) cache.set(given, last);
    if (last.isAllSkipped) throw skippedError(NONE_LISTED, last.refusals);
    last.isReported ||= reportSkipped(last.refusals, req);
    return last.answer;
  };
}

function render(kind: EndpointQuery['listing'], given: Entries): Rendered {
  const { entries: list, endpoints, skippedBefore, skippedHere, isAllSkipped } = listed(kind, given);
  const entries = endpoints.map((endpoint) => ({ endpoint }));
  const body =
    kind === 'cluster'
      ? ({ error: false, code: 200, endpoints: entries } satisfies ClusterEndpointsBody)
      : (entries satisfies EndpointListBody);
  return {
    list,
    skippedBefore,
    answer: createAnswer(kind, 200, body),
    isAllSkipped,
    refusals: [...skippedBefore, ...skippedHere.map(({ refusal }) => withoutStack(refusal))],
    isReported: false,
  };
}

/** All stacks lead to the loop of `listed`: without them, a printed report is readable. */
function withoutStack(refusal: Error): Error {
  return Object.defineProperty(refusal, 'stack', { value: `${refusal.name}: ${refusal.message}` });
}

/** A longer log entry would not be read. */
const MAX_LINES = 20;

/** An error with the first few refusals: a thousand of them would be unreadable. */
function skippedError(title: string, refusals: readonly Error[]): AggregateError {
  return new AggregateError(refusals.slice(0, MAX_LINES), title);
}

/** Reports in ten minutes, for a provider whose skipped entries change on every request. */
const MAX_REPORTS = 10;
const TEN_MINUTES = 600_000;

/**
 * Creates the report of skipped entries: once, and again only after a change, so that polling does not flood a log. It returns `false` if
 * the entries must wait for the end of the ten minutes.
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
      const title = titled(`skipped in the ${kind} listing`, [...lines.slice(0, MAX_LINES), ...more]);
      report(skippedError(title, refusals), req);
    }
    lastReported = text;
    return true;
  };
}
