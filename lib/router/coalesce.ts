import type { EndpointProvider, EndpointQuery } from './contract.js';
import { copyOf } from './endpoint-list.js';
import { isThenable } from './thenable.js';

/** What a shared provider is asked: it answers many requests at once, so it sees none of them. */
export type SharedEndpointQuery = Omit<EndpointQuery, 'req'>;

/** One running call of the shared provider, and how many requests wait for it. */
interface SharedCall {
  readonly list: Promise<Iterable<string>>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Shares one running call of a slow provider among the concurrent requests for one listing of one database.
 *
 * A call that has settled is forgotten, be it well or badly: the next request starts a new one. Every waiting request keeps its
 * own timeout and may leave on its own; when all have left, the `signal` of the shared call aborts. Once a request has waited
 * its whole timeout in vain, later requests start a call of their own: one hung call does not hold a listing for ever.
 *
 * @throws `TypeError` when `provider` is not a function.
 */
export function coalesce(
  provider: (query: SharedEndpointQuery) => Iterable<string> | PromiseLike<Iterable<string>>,
): EndpointProvider {
  const given: unknown = provider;
  if (typeof given !== 'function') throw new TypeError(`coalesce takes a function, got ${typeof given}`);
  const running = new Map<string, SharedCall>();

  return function sharedProvider({ listing, database, signal }) {
    const key = `${listing}/${database}`;
    const joined = running.get(key);
    if (joined !== undefined) return join(key, joined, signal);

    const controller = new AbortController();
    const answered = provider({ listing, database, signal: controller.signal });
    if (!isThenable(answered)) return answered;
    const list = Promise.resolve(answered).then(rereadable);
    const call = { list, controller, waiting: 0 };
    running.set(key, call);
    const settled = (): void => {
      forget(key, call);
    };
    list.then(settled, settled);
    return join(key, call, signal);
  };

  function join(key: string, call: SharedCall, signal: AbortSignal): Promise<Iterable<string>> {
    call.waiting += 1;
    const leave = (): void => {
      call.waiting -= 1;
      const isTooSlow = (signal.reason as DOMException).name === 'TimeoutError';
      if (isTooSlow || call.waiting === 0) forget(key, call);
      if (call.waiting === 0) call.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return call.list;
  }

  function forget(key: string, call: SharedCall): void {
    if (running.get(key) === call) running.delete(key);
  }
}

/** A generator can be read only once, but every waiting request reads the list. */
function rereadable(list: Iterable<string>): Iterable<string> {
  return Array.isArray(list) ? list : (copyOf(list) as readonly string[]);
}
