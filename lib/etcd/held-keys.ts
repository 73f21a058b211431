import type { HeldList } from '../directory/held-list.js';
import type { Fingerprint, Snapshot, StoredKey } from './keys.js';
import type { WatchMessage } from './watch.js';

/** ms for which deletions are doubted after a change of etcd's leader. */
const DOUBT_MS = 60_000;
/** ms for which a doubted deletion waits for the key to come back. */
const SECOND_LOOK_MS = 1000;

/**
 * The last known keys in etcd, and their list.
 *
 * A leader that was frozen believes, when it thaws, that no lease was renewed. It deletes the keys of live Coordinators before it learns that
 * it is no longer the leader; they put their keys back at once. So for a while after a leader change, a deleted key stays listed for a
 * moment, in which it may come back.
 */
export class HeldKeys {
  #keys = new Map<string, StoredKey>();
  #revision = 0n;
  #term: bigint | undefined;
  #doubtUntil = -Infinity;
  /** Entries of deleted keys that stay listed, and until when, the oldest first. */
  readonly #deleted = new Map<string, { readonly entry: string; readonly until: number }>();
  #secondLook: NodeJS.Timeout | undefined;

  /** @param onSeen - Called after each complete list and each change. */
  constructor(
    private readonly list: HeldList,
    private readonly onSeen: (keys: HeldKeys) => void,
  ) {}

  /** The revision of the keys. */
  get revision(): bigint {
    return this.#revision;
  }

  /** A key by its name; `undefined` if etcd does not have it. */
  get(name: string): StoredKey | undefined {
    return this.#keys.get(name);
  }

  get fingerprint(): Fingerprint {
    let newest = 0n;
    for (const { revision } of this.#keys.values()) if (revision > newest) newest = revision;
    return { count: this.#keys.size, newest };
  }

  /** Takes a complete list. */
  reset({ keys, revision, term }: Snapshot): void {
    this.#sawTerm(term);
    const before = this.#keys;
    this.#keys = keys;
    this.#revision = revision;
    for (const [name, { entry }] of before) if (!keys.has(name)) this.#doubt(name, entry);
    for (const name of keys.keys()) this.#deleted.delete(name);
    this.list.relist(this.#entries());
    this.onSeen(this);
  }

  /**
   * Takes a message of the watch.
   *
   * @param before - Called before each change, with its revision. If it throws, the rest of the message is dropped.
   */
  apply({ changes, term }: WatchMessage, before: (revision: bigint) => void): void {
    this.#sawTerm(term);
    for (const { name, deleted, key } of changes) {
      before(key.revision);
      const held = this.#keys.get(name);
      if (deleted) this.#keys.delete(name);
      else this.#keys.set(name, key);
      this.#deleted.delete(name);
      if (deleted && held !== undefined) this.#doubt(name, held.entry);
      this.#revision = key.revision;
    }
    if (changes.length === 0) return;
    this.list.update(this.#entries(), changes.length);
    this.onSeen(this);
  }

  /** Stops waiting for keys that may come back. */
  close(): void {
    clearTimeout(this.#secondLook);
  }

  *#entries(): Iterable<string> {
    for (const { entry } of this.#keys.values()) yield entry;
    for (const { entry } of this.#deleted.values()) yield entry;
  }

  #sawTerm(term: bigint): void {
    if (this.#term !== undefined && term !== this.#term) this.#doubtUntil = performance.now() + DOUBT_MS;
    this.#term = term;
  }

  #doubt(name: string, entry: string): void {
    const now = performance.now();
    if (now >= this.#doubtUntil) return;
    this.#deleted.set(name, { entry, until: now + SECOND_LOOK_MS });
    this.#secondLook ??= this.#lookAfter(SECOND_LOOK_MS);
  }

  #lookAfter(ms: number): NodeJS.Timeout {
    // A timer may fire up to a millisecond early.
    return setTimeout(() => this.#look(), ms + 1);
  }

  #look(): void {
    const now = performance.now();
    for (const [name, { until }] of this.#deleted) if (until <= now) this.#deleted.delete(name);
    this.list.update(this.#entries(), 0);
    const [next] = this.#deleted.values();
    this.#secondLook = next && this.#lookAfter(next.until - now);
  }
}
