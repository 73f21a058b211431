/** When to try again: at once with a host not yet tried, then after waits that double, from `minMs` to `maxMs`. */
export class Pace {
  readonly #hosts: number;
  readonly #minMs: number;
  readonly #maxMs: number;
  #failures = 0;

  constructor(hosts: number, { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) {
    this.#hosts = hosts;
    this.#minMs = minMs;
    this.#maxMs = maxMs;
  }

  /** An attempt has failed: how many ms to wait before the next. */
  failed(): number {
    this.#failures += 1;
    const rounds = Math.floor(this.#failures / this.#hosts);
    if (this.#failures % this.#hosts !== 0) return 0;
    const step = Math.min(this.#maxMs, this.#minMs * 2 ** (rounds - 1));
    // Spread, so that many Coordinators do not come back in one moment; below the step, so that an engine which is there
    // again is asked, and the list read, within `maxMs`.
    return step * (0.45 + Math.random() * 0.45);
  }

  /** It goes well again. */
  reset(): void {
    this.#failures = 0;
  }
}
