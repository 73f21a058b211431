import { within } from '../request/deadline.js';
import { ListingError } from './listing-error.js';

/** When to give up, and on what. */
interface TimeLimit {
  /** How the message calls the work. */
  readonly request: string;
  /** Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs the work of a request within its time.
 *
 * @throws {@link ListingError} of kind `timeout`; what the work throws; the reason of `signal`.
 */
export function inTime<T>(
  { request, timeoutMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = (): Error =>
    new ListingError('timeout', `${request}: no complete answer within ${String(timeoutMs)} ms`);
  return within(timeoutMs, signal, work, late);
}
