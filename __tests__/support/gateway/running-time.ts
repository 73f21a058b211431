const BEAT_MS = 5;
/** A loop that turns this late is held up: by other programs on a busy machine, or by what blocks it. */
const HELD_UP_MS = 20;

/** The time for which the event loop of this process has turned, so that a busy machine is not taken for a slow answer. */
export class RunningTime {
  #lost = 0;
  #lastBeat = performance.now();
  readonly #beats = setInterval(() => {
    const now = performance.now();
    this.#lost += lateness(now - this.#lastBeat);
    this.#lastBeat = now;
  }, BEAT_MS);

  /** In ms, like `performance.now()`, but standing still while the loop is held up. */
  now(): number {
    const now = performance.now();
    return now - this.#lost - lateness(now - this.#lastBeat);
  }

  /** ms that were lost so far. */
  lost(): number {
    return this.#lost;
  }

  stop(): void {
    clearInterval(this.#beats);
  }
}

function lateness(gap: number): number {
  return gap < HELD_UP_MS ? 0 : gap - BEAT_MS;
}
