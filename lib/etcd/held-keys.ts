import type { HeldList } from '../directory/held-list.js';
import type { Fingerprint, Snapshot, StoredKey } from './keys.js';
import type { WatchMessage } from './watch.js';

/** For how long after a change of etcd's leader deletions are doubted, in ms. */
const DOUBT_MS = 60_000;
/** How long a deletion in doubt waits for the key to come back, in ms. */
const SECOND_LOOK_MS = 1000;

/**
 * The keys as etcd last had them, and the list that they make.
 *
 * A leader of etcd that was frozen believes, when it thaws, that nobody has renewed any lease meanwhile. It has the keys of
 * living Coordinators deleted before it learns that it has lost its office; they put them back within moments. So after a
 * change of leader a deleted key gets a second look: it stays listed for a moment, in which it may come back.
 */
export class HeldKeys {
  readonly #list: HeldList;
  readonly #onSeen: (keys: HeldKeys) => void;
  #keys = new Map<string, StoredKey>();
  #revision = 0n;
  #term: bigint | undefined;
  #doubtUntil = -Infinity;
  /** Entries of deleted keys that stay listed, and until when. The oldest one is first. */
  readonly #deleted = new Map<string, { readonly entry: string; readonly until: number }>();
  #secondLook: NodeJS.Timeout | undefined;

  /** @param onSeen - Called after each complete list and each change. */
  constructor(list: HeldList, onSeen: (keys: HeldKeys) => void) {
    this.#list = list;
    this.#onSeen = onSeen;
  }

  /** The state of the store that the keys are from. */
  get revision(): bigint {
    return this.#revision;
  }

  /** A key by its name; `undefined` when etcd does not have it. */
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
    this.#list.relist(this.#entries());
    this.#onSeen(this);
  }

  /**
   * Takes a message of the watch.
   *
   * @param before - Called before each change, with its revision. What it throws ends the message there.
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
    this.#list.update(this.#entries(), changes.length);
    this.#onSeen(this);
  }

  /** Ends the wait for keys that may come back. */
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
    return setTimeout(() => {
      this.#look();
    }, ms + 1);
  }

  #look(): void {
    const now = performance.now();
    for (const [name, { until }] of this.#deleted) if (until <= now) this.#deleted.delete(name);
    this.#list.update(this.#entries(), 0);
    const [next] = this.#deleted.values();
    this.#secondLook = next && this.#lookAfter(next.until - now);
  }
}
