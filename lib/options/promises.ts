/** Whether a value is a promise, from any implementation. Throws what its `then` getter throws. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** For a callback whose result is ignored: if it is a promise after all, its rejection must not end the process. */
export function ignoreRejection(value: unknown): void {
  void (async () => {
    try {
      await value;
    } catch {
      // The fault of the callback has been reported already.
    }
  })();
}
