import type { Request } from 'express';
import type { ClusterEndpointsBody, EndpointListBody, EndpointQuery } from './contract.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { createAnswer, type Answer } from './answer.js';
import { copyOf, isSameList, type EndpointList } from './endpoint-list.js';
import { createLeftOutReport } from './left-out.js';
import type { Report } from './report.js';

/** One of the two listings of a router. */
export interface Listing {
  /** The answer that lists what a provider gave. Throws when it is not a list, or has entries and none can be listed. */
  answerFor(given: unknown, req: Request): Answer;
}

/** One list, and what became of it. */
interface Rendered {
  readonly list: EndpointList;
  readonly answer: Answer;
  /** Why entries were left out. */
  readonly refusals: readonly Error[];
  readonly isUsable: boolean;
}

/**
 * Creates a listing that serialises once per change: the bytes of the last body serve again while the list is the same, at
 * once for the same frozen array, otherwise after a look at every entry, so that an array changed in place is never served
 * stale. It remembers one list and one body, however many requests come.
 */
export function createListing(kind: EndpointQuery['listing'], report: Report): Listing {
  const reportLeftOut = createLeftOutReport(kind, report);
  let last: Rendered | undefined;
  let lastFrozen: readonly unknown[] | undefined;

  function rendered(given: unknown): Rendered | undefined {
    if (last === undefined || !Array.isArray(given)) return undefined;
    return given === lastFrozen || isSameList(given, last.list) ? last : undefined;
  }

  function renderAnew(given: unknown, req: Request): Rendered {
    const list = copyOf(given);
    if (last !== undefined && isSameList(list, last.list)) return last;
    const anew = render(kind, list);
    if (anew.isUsable) reportLeftOut(anew.refusals, req);
    return anew;
  }

  return {
    answerFor(given, req) {
      last = rendered(given) ?? renderAnew(given, req);
      if (given !== lastFrozen) lastFrozen = Array.isArray(given) && Object.isFrozen(given) ? given : undefined;
      if (last.isUsable) return last.answer;
      throw new AggregateError(last.refusals, 'none of the endpoints that the provider gave can be listed');
    },
  };
}

function render(kind: EndpointQuery['listing'], list: EndpointList): Rendered {
  const canonical = kind === 'cluster' ? coordinatorEndpoint : serverEndpoint;
  const endpoints = new Set<string>();
  const refusals: Error[] = [];
  for (const entry of list) {
    try {
      endpoints.add(canonical(entry as string));
    } catch (refusal) {
      refusals.push(refusal as Error);
    }
  }
  const entries = Array.from(endpoints, (endpoint) => ({ endpoint }));
  const body =
    kind === 'cluster'
      ? ({ error: false, code: 200, endpoints: entries } satisfies ClusterEndpointsBody)
      : (entries satisfies EndpointListBody);
  return { list, answer: createAnswer(200, body), refusals, isUsable: list.length === 0 || endpoints.size > 0 };
}
