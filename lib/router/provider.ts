import createError from 'http-errors';
import { createDepartureWatch, hasLeft, type WatchDeparture } from './departure.js';
import type { Exchange } from './exchange.js';
import type { Settings } from './options.js';
import { Query } from './query.js';
import { ignoreRejection, isThenable } from './thenable.js';

/** What becomes of a question: exactly one of the two, once; neither when the client has left. */
export interface Outcome {
  given(exchange: Exchange, list: unknown): void;
  failed(exchange: Exchange, error: unknown): void;
}

/** Asks the provider of the host application, through a database, for one listing. */
export type AskProvider = (database: string, exchange: Exchange) => void;

/** Creates the way to the provider, which waits for it no longer than `timeout` ms. */
export function createAskProvider(
  { provider, timeout }: Pick<Settings, 'provider' | 'timeout'>,
  outcome: Outcome,
): AskProvider {
  const watchDeparture = createDepartureWatch();

  return function askProvider(database, exchange) {
    // Nobody is there to answer, and no signal would tell the provider so.
    if (hasLeft(exchange)) return;
    const query = new Query(exchange.listing, database, exchange.req);
    let list: unknown;
    let isPending: boolean;
    try {
      list = provider(query);
      isPending = isThenable(list);
    } catch (error) {
      outcome.failed(exchange, error);
      return;
    }
    if (isPending) void waitFor(list, timeout, query, exchange, outcome, watchDeparture);
    else outcome.given(exchange, list);
  };
}

/** The first of three ends the wait: the provider settles, the time is over, the client leaves. */
async function waitFor(
  list: unknown,
  timeout: number,
  query: Query,
  exchange: Exchange,
  outcome: Outcome,
  watchDeparture: WatchDeparture,
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
    const message = `the provider took longer than ${String(timeout)} ms`;
    Query.giveUp(query, new DOMException(message, 'TimeoutError'));
    outcome.failed(exchange, createError(503, message));
  };

  let settle: () => void;
  try {
    wait.unwatch = watchDeparture(exchange, leave);
    if (timeout !== Infinity) wait.timer = setTimeout(expire, timeout);
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
