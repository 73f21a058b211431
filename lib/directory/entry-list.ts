import { isSameList, withSkipped } from '../listing/lists.js';
import { shown } from '../text/shown.js';
import type { DirectoryEntry, DirectoryStatus, EntryCheck } from './directory.js';

/** What is known of an endpoint before anybody chooses what is listed. */
export interface Candidate {
  readonly source: string;
  readonly endpoint?: string | undefined;
  /** Why it has no endpoint. */
  readonly reason?: string | undefined;
  /** As of now, whenever it is read. */
  readonly check?: EntryCheck | undefined;
}

/** What is served while nothing is healthy. */
export type WhenNoneHealthy = NonNullable<DirectoryStatus['whenNoneHealthy']>;

/** What a choice has changed: the list, something about an entry, or nothing. */
export type Changed = 'list' | 'entries' | undefined;

/** The number of reasons given when every entry is skipped. */
const MAX_REASONS = 20;

/** An entry, and what its candidate does not keep still. */
interface Chosen extends Omit<Candidate, 'check'> {
  readonly candidate: Candidate;
  readonly state: DirectoryEntry['state'];
  readonly checkState: string | undefined;
  readonly entry: DirectoryEntry;
}

/** The entries of a directory, and which of them are listed. A choice costs in proportion to the entries; asking costs nothing. */
export class EntryList {
  #chosen: readonly Chosen[] = [];
  #entries: readonly DirectoryEntry[] = Object.freeze([]);
  #endpoints: readonly string[] = Object.freeze([]);
  #counts: Pick<DirectoryStatus, 'count' | 'down' | 'skipped' | 'healthy'> = { count: 0, down: 0, skipped: 0 };

  get endpoints(): readonly string[] {
    return this.#endpoints;
  }

  /** Whether there are endpoints, and health checks keep all of them off the list. */
  get isAllDown(): boolean {
    return this.#counts.count === 0 && this.#counts.down > 0;
  }

  /** The part of a status that is about entries. */
  numbers(): Pick<DirectoryStatus, 'count' | 'down' | 'skipped' | 'healthy' | 'entries'> {
    return { ...this.#counts, entries: this.#entries };
  }

  /**
   * Chooses what is listed: what is healthy, or not checked, and has an endpoint; when nothing is, what `whenNoneHealthy` says. An
   * endpoint that two sources have is listed while one of them is healthy.
   */
  choose(candidates: readonly Candidate[], whenNoneHealthy: WhenNoneHealthy = 'all'): Changed {
    const before = this.#chosen;
    const isNoneHealthy = !candidates.some(isHealthy);
    const stateOf = (candidate: Candidate): DirectoryEntry['state'] => {
      if (candidate.endpoint === undefined) return 'skipped';
      return isHealthy(candidate) || (isNoneHealthy && whenNoneHealthy === 'all') ? 'listed' : 'down';
    };
    const lastOf = lastsOf(before);
    const now = Date.now();
    const chosen = candidates.map((candidate, index): Chosen => {
      const state = stateOf(candidate);
      const last = lastOf(candidate, index);
      const { source, endpoint, reason, check } = candidate;
      const checkState = check?.state;
      const isSameState = last?.state === state;
      if (isSameState && last.candidate === candidate && last.checkState === checkState) return last;
      const entry = Object.freeze(new Entry(candidate, state, isSameState ? last.entry.since : now));
      return { candidate, source, endpoint, reason, state, checkState, entry };
    });
    if (isSameList(chosen, before)) return undefined;
    this.#chosen = chosen;
    this.#entries = Object.freeze(chosen.map(({ entry }) => entry));
    return this.#relist(chosen.length === before.length && chosen.every((one, index) => isSame(one, before[index])));
  }

  #relist(areSame: boolean): Changed {
    const listed = new Set<string>();
    const counts = { count: 0, down: 0, skipped: 0 };
    let checked = 0;
    let healthy = 0;
    for (const { endpoint, state, checkState } of this.#chosen) {
      if (state === 'listed') listed.add(String(endpoint));
      else counts[state] += 1;
      if (checkState === undefined || endpoint === undefined) continue;
      checked += 1;
      if (checkState === 'up') healthy += 1;
    }
    this.#counts = { ...counts, count: listed.size, ...(checked > 0 && { healthy }) };
    const next = [...listed];
    const isOther = !isSameList(next, this.#endpoints);
    if (isOther || (!areSame && next.length === 0)) {
      // An empty list of which everything is skipped is a failure, and says why; it is another one than an empty list.
      const isAllSkipped = counts.skipped === this.#chosen.length;
      this.#endpoints = isAllSkipped
        ? withSkipped(next, this.#entries.slice(0, MAX_REASONS).map(refusalOf))
        : Object.freeze(next);
    }
    return isOther ? 'list' : areSame ? undefined : 'entries';
  }
}

function isHealthy({ endpoint, check }: Candidate): boolean {
  return endpoint !== undefined && (check === undefined || check.state === 'up');
}

/** Looks up what a source was before: at the same place, or wherever it was. */
function lastsOf(before: readonly Chosen[]) {
  let bySource: ReadonlyMap<string, Chosen> | undefined;
  return ({ source }: Candidate, index: number): Chosen | undefined => {
    if (before[index]?.source === source) return before[index];
    bySource ??= new Map(before.map((one) => [one.source, one]));
    return bySource.get(source);
  };
}

/** The check is asked for when it is read: it goes on changing while nothing else does. */
class Entry implements DirectoryEntry {
  /** One for all: with a getter each, every entry would have a layout of its own, which V8 reads ten times as slowly. */
  static readonly #check: PropertyDescriptor & ThisType<Entry> = {
    enumerable: true,
    get() {
      return this.#candidate.check;
    },
  };
  readonly #candidate: Candidate;
  readonly source: string;
  readonly state: DirectoryEntry['state'];
  readonly since: number;
  declare readonly endpoint?: string;
  declare readonly reason?: string;
  declare readonly check?: EntryCheck;

  constructor(candidate: Candidate, state: DirectoryEntry['state'], since: number) {
    const { source, endpoint, reason, check } = candidate;
    this.#candidate = candidate;
    this.source = source;
    this.state = state;
    this.since = since;
    if (check !== undefined) Object.defineProperty(this, 'check', Entry.#check);
    if (endpoint !== undefined) this.endpoint = endpoint;
    if (reason !== undefined) this.reason = reason;
  }
}

/** Whether there is nothing that others would hear of. The state follows from the rest, and is on the list. */
function isSame(one: Chosen, other: Chosen | undefined): boolean {
  return (
    one.source === other?.source &&
    one.endpoint === other.endpoint &&
    one.reason === other.reason &&
    one.checkState === other.checkState
  );
}

function refusalOf({ source, reason }: DirectoryEntry): Error {
  return new Error(`${shown(source)} is skipped: ${String(reason)}`);
}
