import { EventEmitter, getMaxListeners, setMaxListeners } from 'node:events';

/** Why what a step has started ends with it: one for all, as its stack takes half of the time of a short step. */
const OVER = new DOMException('This operation was aborted', 'AbortError');

/**
 * Runs a step that has `ms` to complete. Its signal ends everything that the step has started, at the latest when the step is over. A
 * step that ignores the signal is abandoned.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` would do the same, but not every Node 20 has the first, and it leaks signals for as long as
 * the outer signal lives.
 *
 * @param ms - Or `Infinity`.
 * @param step - May also throw before it has a promise.
 * @param late - Creates the error for a step that takes longer.
 * @throws What the step throws; the error of `late` after `ms`; the reason of `signal`.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  step: (signal: AbortSignal) => T | PromiseLike<T>,
  late: () => Error = () => new Error(`no answer within ${String(ms)} ms`),
): Promise<T> {
  signal?.throwIfAborted();
  const limited = new AbortController();
  const expire = (): void => limited.abort(late());
  const timer = ms === Infinity ? undefined : setTimeout(expire, ms);
  const release = onAbort(signal, () => limited.abort(signal?.reason));
  try {
    // The limit listens first, so that its error wins over the step's own reaction to the signal.
    return await Promise.race([rejection(limited.signal), (async () => step(limited.signal))()]);
  } finally {
    clearTimeout(timer);
    release();
    limited.abort(OVER);
  }
}

/** Waits `ms`, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await within(ms, signal, rejection).catch(() => undefined);
}

/**
 * Calls a listener once the signal aborts, or at once if it has already aborted. Many listeners on one signal are not a leak: each raises
 * the limit.
 *
 * @returns A function that removes the listener; call it once.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  makeRoom(signal, 1);
  signal.addEventListener('abort', listener, { once: true });
  return () => {
    signal.removeEventListener('abort', listener);
    makeRoom(signal, -1);
  };
}

/** Rejects with the signal's reason once it aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => reject(signal.reason as Error));
  });
}

/**
 * Raises the listener limit of an emitter or a signal by one, or lowers it again: many listeners of ours on one source are not a leak, and
 * Node still warns of real ones. Does nothing for other kinds of emitters.
 */
export function makeRoom(source: object, places: 1 | -1): void {
  if (!(source instanceof EventEmitter || source instanceof EventTarget)) return;
  const limit = getMaxListeners(source);
  if (limit > 0) setMaxListeners(limit + places, source);
}
