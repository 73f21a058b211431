import createError from 'http-errors';
import type { Exchange } from './exchange.js';
import type { Settings } from './options.js';
import { Query } from './query.js';
import { isThenable } from './thenable.js';

/** What becomes of a question: exactly one of the two, once; neither when the client has left. */
export interface Outcome {
  given(exchange: Exchange, list: unknown): void;
  failed(exchange: Exchange, error: unknown): void;
}

/** Asks the provider of the host application, and waits for it no longer than `timeout` ms. */
export function askProvider(
  { provider, timeout }: Pick<Settings, 'provider' | 'timeout'>,
  database: string,
  exchange: Exchange,
  outcome: Outcome,
): void {
  // Nobody is there to answer, and no signal would tell the provider so.
  if (exchange.res.destroyed) return;
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
  if (isPending) void waitFor(list, timeout, query, exchange, outcome);
  else outcome.given(exchange, list);
}

/** The first of three ends the wait: the provider settles, the time is over, the client leaves. */
async function waitFor(
  list: unknown,
  timeout: number,
  query: Query,
  exchange: Exchange,
  outcome: Outcome,
): Promise<void> {
  const { res } = exchange;
  const wait = { isOver: false };
  const end = (): void => {
    wait.isOver = true;
    clearTimeout(timer);
    res.off('close', leave);
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
  const timer = timeout === Infinity ? undefined : setTimeout(expire, timeout);
  res.on('close', leave);

  let settle: () => void;
  try {
    const given = await list;
    settle = () => {
      outcome.given(exchange, given);
    };
  } catch (error) {
    settle = () => {
      outcome.failed(exchange, error);
    };
  }
  if (wait.isOver) return;
  end();
  settle();
}
