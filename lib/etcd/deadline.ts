/**
 * Runs a step that has `ms` to complete; the signal it gets ends whatever it has started.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` would do the same, but not every Node 20 has the first, and it keeps what it
 * makes for as long as the outer signal lives.
 *
 * @throws What the step throws; Error when the time is over; the reason of `signal`.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limited = new AbortController();
  const timer = setTimeout(() => {
    limited.abort(new Error(`no answer within ${String(ms)} ms`));
  }, ms);
  const release = onAbort(signal, () => {
    limited.abort(signal.reason);
  });
  try {
    return await Promise.race([step(limited.signal), rejection(limited.signal)]);
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Waits `ms`, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await within(ms, signal, rejection).catch(() => undefined);
}

/**
 * Calls a listener once the signal aborts: now, when it has aborted before, as the signal itself would never call it then.
 *
 * @returns Removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => {
    signal.removeEventListener('abort', listener);
  };
}

/** Rejects with the signal's reason once it aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    onAbort(signal, () => {
      reject(signal.reason as Error);
    });
  });
}
