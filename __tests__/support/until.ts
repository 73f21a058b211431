/** Waits until a condition holds; fails, naming it, when it does not in a time that no busy machine needs. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const elapsed = performance.now() - start;
    if (elapsed > limitMs) throw new Error(`not within ${String(limitMs)} ms: ${what}`);
    // What has taken long may take a little longer: looking costs processor time, which other tests need.
    await pause(Math.min(Math.max(2, elapsed / 20), 50));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
