import type { Request } from 'express';
import createError from 'http-errors';
import type { Socket } from 'node:net';
import { makeRoom } from '../request/room-for-listeners.js';
import type { Settings } from './options.js';
import { ignoreRejection, isThenable } from '../options/promises.js';
import { EndpointQuery } from './provider.js';
import type { Exchange } from './target.js';

/** Called exactly once for a request, one or the other, or not at all if the client has disconnected. */
export interface Outcome {
  given(exchange: Exchange, list: unknown): void;
  failed(exchange: Exchange, error: unknown): void;
}

/** Asks the provider of the host application, through a database, for one listing. */
export type AskProvider = (exchange: Exchange, database: string) => void;

/** Creates the way to the provider, which waits for it no longer than `timeoutMs`. */
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

/** What a provider is asked. The signal is made when it is first read, so it costs nothing where nobody reads it. */
class Query extends EndpointQuery {
  /** The reason for which the router has given up before anybody has read the signal. */
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

  /** Not a method: the provider holds the query, and giving up is the router's business. */
  static giveUp(query: Query, reason: DOMException): void {
    if (query.#signal instanceof AbortController) query.#signal.abort(reason);
    else query.#signal = reason;
  }
}

/** What ends a wait beside the provider, and where each end is told. */
interface Ends {
  readonly timeoutMs: number;
  readonly watchDeparture: WatchDeparture;
  readonly outcome: Outcome;
}

/**
 * The first of three ends the wait: the provider settles, the time is over, the client disconnects. Not by `within`, which makes a
 * signal for each request: here it is made when a provider reads it.
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
    settle = () => {
      outcome.given(exchange, given);
    };
  } catch (error) {
    // Where a `res.on` of the host application failed, nobody awaits the list.
    ignoreRejection(list);
    settle = () => {
      outcome.failed(exchange, error);
    };
  }
  if (wait.isOver) return;
  end();
  settle();
}

/** Calls `leave` once the client has disconnected; returns what ends the watch. */
type WatchDeparture = (exchange: Exchange, leave: () => void) => () => void;

/**
 * Creates the watch over clients that may disconnect before their answer.
 *
 * A response has a `close` event for it. But a pipelined response waits for its turn without a socket, and hears nothing
 * of its connection's end: so the connection is watched instead, by one listener however many requests wait on it.
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
