import { ListingError } from './listing-error.js';

/** When to give up, and on what. */
interface TimeLimit {
  /** How the message calls the work. */
  readonly request: string;
  /** Milliseconds, or `Infinity`. */
  readonly timeout: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a piece of work that ends in time, also when the work ignores the signal that it gets.
 *
 * By hand, because `AbortSignal.timeout` leaves its timer behind and `AbortSignal.any` came with Node 20.3.
 *
 * @throws {@link ListingError} of kind `timeout`; the caller's own reason when `signal` aborts.
 */
export async function inTime<T>(
  { request, timeout, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const giveUp = new AbortController();
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp.signal.addEventListener('abort', () => {
      reject(giveUp.signal.reason as Error);
    });
  });

  const leave = (): void => {
    giveUp.abort(signal?.reason);
  };
  const expire = (): void => {
    giveUp.abort(new ListingError('timeout', `${request}: no complete answer within ${String(timeout)} ms`));
  };
  signal?.addEventListener('abort', leave);
  const timer = timeout === Infinity ? undefined : setTimeout(expire, timeout);
  try {
    return await Promise.race([work(giveUp.signal), givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    // Ends what is left of the answer, which nobody reads.
    giveUp.abort();
  }
}
