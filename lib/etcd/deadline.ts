/**
 * Runs a step that has `ms` to come to an end; what it has begun ends with the signal that it gets.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` would say the same, but the first is not in every Node 20, and keeps what it
 * makes for as long as the outer signal lives.
 *
 * @throws What the step throws; Error when the time is over; the reason of `signal`.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limited = new AbortController();
  const pass = (): void => {
    limited.abort(signal.reason);
  };
  const timer = setTimeout(() => {
    limited.abort(new Error(`no answer within ${String(ms)} ms`));
  }, ms);
  signal.addEventListener('abort', pass);
  try {
    return await Promise.race([step(limited.signal), rejection(limited.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
}

/** Waits `ms`, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await withDeadline(ms, signal, rejection).catch(() => undefined);
}

/** Rejects with the signal's reason once it aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
