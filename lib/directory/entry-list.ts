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

/** So many reasons are given for a list of which everything is skipped. */
const MAX_REASONS = 20;

/** Of an entry, what its candidate does not keep still. */
interface Chosen {
  readonly entry: DirectoryEntry;
  readonly checkState: string | undefined;
}

/** The entries of a directory, and which of them are listed. A choice costs in proportion to the entries; asking costs nothing. */
export class EntryList {
  #chosen: readonly Chosen[] = [];
  #entries: readonly DirectoryEntry[] = Object.freeze([]);
  #endpoints: readonly string[] = Object.freeze([]);
  #wasAllSkipped = false;
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
  choose(candidates: readonly Candidate[], whenNoneHealthy: WhenNoneHealthy): Changed {
    const before = this.#chosen;
    const isNoneHealthy = !candidates.some(isHealthy);
    const stateOf = (candidate: Candidate): DirectoryEntry['state'] => {
      if (candidate.endpoint === undefined) return 'skipped';
      return isHealthy(candidate) || (isNoneHealthy && whenNoneHealthy === 'all') ? 'listed' : 'down';
    };
    const sinceOf = sincesOf(before);
    const now = Date.now();
    this.#chosen = candidates.map((candidate, index) => {
      const state = stateOf(candidate);
      const entry = entryOf(candidate, state, sinceOf(candidate, state, index) ?? now);
      return { entry, checkState: candidate.check?.state };
    });
    this.#entries = Object.freeze(this.#chosen.map(({ entry }) => entry));
    const chosen = this.#chosen;
    return this.#relist(chosen.length === before.length && chosen.every((one, index) => isSame(one, before[index])));
  }

  #relist(areSame: boolean): Changed {
    const listed = new Set<string>();
    const counts = { count: 0, down: 0, skipped: 0 };
    let checked = 0;
    let healthy = 0;
    for (const { entry, checkState } of this.#chosen) {
      if (entry.state === 'listed') listed.add(String(entry.endpoint));
      else counts[entry.state] += 1;
      if (checkState === undefined || entry.endpoint === undefined) continue;
      checked += 1;
      if (checkState === 'up') healthy += 1;
    }
    this.#counts = { ...counts, count: listed.size, ...(checked > 0 && { healthy }) };
    const isAllSkipped = counts.skipped > 0 && counts.skipped === this.#chosen.length;
    const next = [...listed];
    const isOther = !isSameList(next, this.#endpoints);
    // An empty list of which everything is skipped is a failure, and says why; it is another one than an empty list.
    if (isAllSkipped && (isOther || !areSame)) {
      this.#endpoints = withSkipped([], this.#entries.slice(0, MAX_REASONS).map(refusalOf));
    } else if (isOther || this.#wasAllSkipped !== isAllSkipped) this.#endpoints = Object.freeze(next);
    this.#wasAllSkipped = isAllSkipped;
    return isOther ? 'list' : areSame ? undefined : 'entries';
  }
}

function isHealthy({ endpoint, check }: Candidate): boolean {
  return endpoint !== undefined && (check === undefined || check.state === 'up');
}

/** Looks up since when a source is in a state: at the same place, or wherever it was. */
function sincesOf(before: readonly Chosen[]) {
  let bySource: ReadonlyMap<string, DirectoryEntry> | undefined;
  return ({ source }: Candidate, state: DirectoryEntry['state'], index: number): number | undefined => {
    let entry = before[index]?.entry;
    if (entry?.source !== source) {
      bySource ??= new Map(before.map((chosen) => [chosen.entry.source, chosen.entry]));
      entry = bySource.get(source);
    }
    return entry?.state === state ? entry.since : undefined;
  };
}

/** The check is asked for when it is read: it goes on changing while nothing else does. */
function entryOf(candidate: Candidate, state: DirectoryEntry['state'], since: number): DirectoryEntry {
  const { source, endpoint, reason, check } = candidate;
  const entry: Partial<Record<keyof DirectoryEntry, unknown>> =
    check === undefined
      ? { source, state, since }
      : {
          source,
          state,
          since,
          get check() {
            return candidate.check;
          },
        };
  if (endpoint !== undefined) entry.endpoint = endpoint;
  if (reason !== undefined) entry.reason = reason;
  return Object.freeze(entry) as DirectoryEntry;
}

/** Whether there is nothing that others would hear of. */
function isSame(one: Chosen, other: Chosen | undefined): boolean {
  return (
    one.entry.source === other?.entry.source &&
    one.entry.endpoint === other.entry.endpoint &&
    one.entry.state === other.entry.state &&
    one.entry.reason === other.entry.reason &&
    one.checkState === other.checkState
  );
}

function refusalOf({ source, reason }: DirectoryEntry): Error {
  return new Error(`${shown(source)} is skipped: ${String(reason)}`);
}
