import type { Request } from 'express';
import createError from 'http-errors';
import type { Socket } from 'node:net';
import { makeRoom } from '../request/deadline.js';
import type { Settings } from './options.js';
import { ignoreRejection, isThenable } from '../options/promises.js';
import { EndpointQuery } from './provider.js';
import type { Exchange } from './target.js';

/** One of the two is called exactly once per request, or neither if the client has disconnected. */
export interface Outcome {
  given(exchange: Exchange, list: unknown): void;
  failed(exchange: Exchange, error: unknown): void;
}

/** Calls the host application's provider for one listing in a database. */
export type AskProvider = (exchange: Exchange, database: string) => void;

/** Creates the function that calls the provider and waits for at most `timeoutMs`. */
export function createAskProvider(
  { provider, timeoutMs }: Pick<Settings, 'provider' | 'timeoutMs'>,
  outcome: Outcome,
): AskProvider {
  const ends: Ends = { timeoutMs, watchDeparture: createDepartureWatch(), outcome };

  return function askProvider(exchange, database) {
    const query = new Query(exchange.target.listing, database, exchange.req);
    let list: unknown;
    let isPending: boolean;
    try {
      list = provider(query);
      isPending = isThenable(list);
    } catch (error) {
      outcome.failed(exchange, error);
      return;
    }
    if (isPending) void waitFor(list, query, exchange, ends);
    else outcome.given(exchange, list);
  };
}

/** The query for a provider. It creates the signal on first read, so an unused signal costs nothing. */
class Query extends EndpointQuery {
  /** Why the router gave up before the signal was read. */
  #signal: AbortController | DOMException | undefined;

  constructor(
    readonly listing: EndpointQuery['listing'],
    readonly database: string,
    readonly req: Request,
  ) {
    super();
  }

  get signal(): AbortSignal {
    if (this.#signal instanceof AbortController) return this.#signal.signal;
    const controller = new AbortController();
    if (this.#signal !== undefined) controller.abort(this.#signal);
    this.#signal = controller;
    return controller.signal;
  }

  /** Not a method: the provider has the query, but only the router may give up. */
  static giveUp(query: Query, reason: DOMException): void {
    if (query.#signal instanceof AbortController) query.#signal.abort(reason);
    else query.#signal = reason;
  }
}

interface Ends {
  readonly timeoutMs: number;
  readonly watchDeparture: WatchDeparture;
  readonly outcome: Outcome;
}

/**
 * The first of three events ends the wait: the provider settles, the time is over, the client disconnects. `within` would create a signal for
 * each request; here a signal exists only if the provider reads it.
 */
async function waitFor(
  list: unknown,
  query: Query,
  exchange: Exchange,
  { timeoutMs, watchDeparture, outcome }: Ends,
): Promise<void> {
  const wait: { isOver: boolean; timer?: NodeJS.Timeout; unwatch?: () => void } = { isOver: false };
  const end = (): void => {
    wait.isOver = true;
    clearTimeout(wait.timer);
    wait.unwatch?.();
  };
  const leave = (): void => {
    end();
    Query.giveUp(query, new DOMException('the client has left', 'AbortError'));
  };
  const expire = (): void => {
    end();
    const message = `the provider took longer than ${String(timeoutMs)} ms`;
    Query.giveUp(query, new DOMException(message, 'TimeoutError'));
    outcome.failed(exchange, createError(503, message));
  };

  let settle: () => void;
  try {
    wait.unwatch = watchDeparture(exchange, leave);
    if (timeoutMs !== Infinity) wait.timer = setTimeout(expire, timeoutMs);
    const given = await list;
    settle = () => outcome.given(exchange, given);
  } catch (error) {
    // If the host application's `res.on` failed, the list is not awaited.
    ignoreRejection(list);
    settle = () => outcome.failed(exchange, error);
  }
  if (wait.isOver) return;
  end();
  settle();
}

/** Calls `leave` once the client has disconnected; returns a function that ends the watch. */
type WatchDeparture = (exchange: Exchange, leave: () => void) => () => void;

/**
 * Creates the watch over clients that may disconnect before their response.
 *
 * The `close` event of a response would do, but a pipelined response has no socket until its turn and does not notice the end of its
 * connection. So this watches the connection, with one listener for all its waiting requests.
 */
function createDepartureWatch(): WatchDeparture {
  const queues = new WeakMap<Socket, Set<() => void>>();

  function queueOn(connection: Socket): Set<() => void> {
    const known = queues.get(connection);
    if (known !== undefined) return known;
    const queue = new Set<() => void>();
    queues.set(connection, queue);
    makeRoom(connection, 1);
    connection.once('close', () => {
      for (const leave of queue) leave();
    });
    return queue;
  }

  return function watchDeparture({ req, res }, leave) {
    const queue = res.socket === null ? queueOn(req.socket) : undefined;
    queue?.add(leave);
    res.on('close', leave);
    return () => {
      queue?.delete(leave);
      res.off('close', leave);
    };
  };
}
