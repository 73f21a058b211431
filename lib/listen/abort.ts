import { once } from 'node:events';

/**
 * The outcome of `work`, unless `signal` aborts before: then its reason is thrown at once, and the outcome does not matter.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled([work]), aborted]);
  settled.abort();
  signal.throwIfAborted();
  return work;
}
