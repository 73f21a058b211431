import type { KeyCount } from './range.js';

/** A count, and when it was asked for. */
export type Probe = KeyCount & { readonly askedAt: number };

/**
 * Finds out whether the watch has lost a change, by the number of keys that a probe has counted.
 *
 * Watch and probe come over two connections, so each count is held against what the watch says of the same state of the
 * store: at once where the watch is there already, else when it brings the first change behind that state, at the latest
 * with the next probe.
 */
export class CountCheck {
  readonly #confirm: (askedAt: number) => void;
  #reached: bigint;
  /** A probe whose count differs, from a state that the watch may not have reached. */
  #open: Probe | undefined;

  /**
   * @param reached The state of the store that the list was read from.
   * @param confirm Told of each count that was right: when it was asked for.
   */
  constructor(reached: bigint, confirm: (askedAt: number) => void) {
    this.#reached = reached;
    this.#confirm = confirm;
  }

  /** The state of the store that the watch has reached. */
  get reached(): bigint {
    return this.#reached;
  }

  /** The watch brings a change, not yet made to the `have` keys. @throws Error when an earlier change was lost. */
  change(revision: bigint, have: number): void {
    if (this.#open && revision > this.#open.revision) this.#settle(this.#open, have);
    this.#reached = revision;
  }

  /**
   * A probe has counted.
   *
   * @param reachedThen What the watch had reached when the probe was sent: a linearizable answer is no older.
   * @throws Error when a change was lost, or when the store was set back: its data were lost or restored.
   */
  probe(probe: Probe, reachedThen: bigint, have: number): void {
    if (probe.revision < reachedThen) {
      throw new Error(`the store was set back from revision ${String(reachedThen)} to ${String(probe.revision)}`);
    }
    if (this.#open) this.#settle(this.#open, have);
    // A watch that was quicker than the probe is at another state: then the answer proves the majority, and that is all.
    if (probe.count === have || probe.revision < this.#reached) this.#confirm(probe.askedAt);
    else this.#open = probe;
  }

  #settle({ count, askedAt }: Probe, have: number): void {
    this.#open = undefined;
    if (count !== have)
      throw new Error(`the watch has lost a change: ${String(have)} keys, etcd counts ${String(count)}`);
    this.#confirm(askedAt);
  }
}
