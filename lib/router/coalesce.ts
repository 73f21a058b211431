import createError from 'http-errors';
import { copyOf } from '../listing/lists.js';
import { readOptions, shownValue } from '../options/read-options.js';
import { boolean, integer } from '../options/rules.js';
import { isThenable } from '../options/promises.js';
import type { EndpointList, EndpointProvider, EndpointQuery } from './provider.js';

/** What a shared provider is asked: it answers many requests at once, so it sees none of them. */
export type SharedEndpointQuery = Omit<EndpointQuery, 'req'>;

/** The options of `coalesce`. */
export interface CoalesceOptions {
  /**
   * Whether the provider gives each database a list of its own. With `false`, one call serves requests for all databases, and the
   * query has no `database`.
   * @defaultValue true
   */
  readonly perDatabase?: boolean;
  /**
   * How many calls may run at a time: one for each listing and database that is asked for. A request that needs one more is
   * answered with 503. With `clusterDatabases: 'any'`, clients choose the names of databases, and so how many calls there are.
   * @defaultValue 100
   */
  readonly maxCalls?: number;
}

type SharedList = EndpointList | PromiseLike<EndpointList>;

const RULES = { perDatabase: boolean(true), maxCalls: integer(1, 1_000_000, 100) };

/** One running call of the shared provider, and how many requests wait for it. */
interface SharedCall {
  readonly list: Promise<EndpointList>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one running call of a slow provider among the concurrent requests for one listing of one database.
 *
 * A call that has settled is forgotten, whether it succeeded or failed: the next request starts a new one. Every waiting request
 * keeps its own timeout and may leave on its own; when all have left, the `signal` of the shared call aborts. Once a request has
 * waited its whole timeout in vain, later requests start a call of their own: one hung call does not hold a listing for ever.
 *
 * @throws `TypeError` when `provider` is not a function, or for an invalid option.
 */
export function coalesce(
  provider: (query: Omit<SharedEndpointQuery, 'database'>) => SharedList,
  options: CoalesceOptions & { readonly perDatabase: false },
): EndpointProvider;
export function coalesce(
  provider: (query: SharedEndpointQuery) => SharedList,
  options?: CoalesceOptions,
): EndpointProvider;
export function coalesce(
  provider: (query: SharedEndpointQuery) => SharedList,
  options: CoalesceOptions = {},
): EndpointProvider {
  const given: unknown = provider;
  if (typeof given !== 'function') {
    throw new TypeError(`coalesce: the provider must be a function, got ${shownValue(given)}`);
  }
  const { perDatabase, maxCalls } = readOptions('coalesce', options, RULES);
  const running = new Map<string, SharedCall>();

  return function sharedProvider({ listing, database, signal }) {
    const key = perDatabase ? `${listing}/${database}` : listing;
    const joined = running.get(key);
    if (joined !== undefined) return join(key, joined, signal);
    if (running.size >= maxCalls) {
      throw createError(503, `${String(maxCalls)} calls of the provider are running, which is the limit`);
    }

    const controller = new AbortController();
    const query = { listing, signal: controller.signal };
    const answered = provider((perDatabase ? { ...query, database } : query) as SharedEndpointQuery);
    if (!isThenable(answered)) return answered;
    const list = Promise.resolve(answered).then(rereadable);
    const call = { list, controller, waiting: 0 };
    running.set(key, call);
    const settled = (): void => forget(key, call);
    list.then(settled, settled);
    return join(key, call, signal);
  };

  function join(key: string, call: SharedCall, signal: AbortSignal): Promise<EndpointList> {
    call.waiting += 1;
    const leave = (): void => {
      call.waiting -= 1;
      const isTooSlow = (signal.reason as DOMException).name === 'TimeoutError';
      if (isTooSlow || call.waiting === 0) forget(key, call);
      if (call.waiting === 0) call.controller.abort(signal.reason);
    };
    // A signal that has aborted already says so no more.
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return call.list;
  }

  function forget(key: string, call: SharedCall): void {
    if (running.get(key) === call) running.delete(key);
  }
}

/** A generator can be read only once, but every waiting request reads the list. */
function rereadable(list: EndpointList): EndpointList {
  return Array.isArray(list) ? list : (copyOf(list) as readonly string[]);
}
