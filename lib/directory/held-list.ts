import type { EventEmitter } from 'node:events';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { DirectoryEvents, DirectoryStatus } from './directory.js';
import { backendUnavailable } from './unavailable.js';

/** Of one outage. A server may say something new every time. */
const MAX_REASONS = 20;

/** The list that a directory holds in memory, and how long it may stand by it. Ages go by `performance.now()`. */
export class HeldList {
  readonly #events: EventEmitter<DirectoryEvents>;
  readonly #maxStaleMs: number;
  readonly #own = new Set<string>();
  /** What each entry of the registry means: the endpoint in its canonical form, or nothing. */
  #entries: ReadonlyMap<string, string | undefined> = new Map();
  #endpoints: readonly string[] = Object.freeze([]);
  #confirmedAt = performance.now();
  /** Has been confirmed once: before that, nobody has seen the directory. */
  #open = false;
  /** The reasons of this outage that have been announced; none while there is no outage. */
  readonly #reasons = new Set<string>();
  #closed = false;
  #expiry: NodeJS.Timeout | undefined;
  #counters = { skipped: 0, relists: 0, events: 0 };
  #lastError: string | undefined;

  /**
   * @param events - Gets `live`, `stale`, `still-stale`, `change`, `expired` and `skipped`, each after the step that caused it is
   *   complete; none before the first confirmation, with which the directory is open.
   * @param maxStaleMs - How old a list that the registry no longer confirms may get, in ms; `Infinity`: no limit.
   */
  constructor(events: EventEmitter<DirectoryEvents>, maxStaleMs: number) {
    this.#events = events;
    this.#maxStaleMs = maxStaleMs;
  }

  /** See `EndpointDirectory.provider`. */
  readonly provider = (): readonly string[] => {
    const state = this.#state();
    if (state === 'expired' || state === 'closed') throw backendUnavailable();
    return this.#endpoints;
  };

  status(): DirectoryStatus {
    return {
      state: this.#state(),
      ageMs: performance.now() - this.#confirmedAt,
      count: this.#endpoints.length,
      ...this.#counters,
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }

  /**
   * Takes a complete list as the registry gave it: any text, in any order, and an Error for each entry that is no text at all.
   * Says nothing about liveness: see {@link confirm}.
   */
  relist(entries: Iterable<string | Error>): void {
    if (this.#closed) return;
    this.#counters.relists += 1;
    this.#hold(entries);
  }

  /** Takes all entries as they are after `changes` single changes. */
  update(entries: Iterable<string>, changes: number): void {
    if (this.#closed) return;
    this.#counters.events += changes;
    this.#hold(entries);
  }

  /** Keeps an endpoint listed even if the registry loses it: a server that answers is alive. */
  include(endpoint: string): void {
    this.#own.add(endpoint);
    if (!this.#closed) this.#rebuild();
  }

  exclude(endpoint: string): void {
    this.#own.delete(endpoint);
    if (!this.#closed) this.#rebuild();
  }

  /** @param askedAt - When the request was sent that the registry has answered: the list was right then, and may not be now. */
  confirm(askedAt: number): void {
    if (this.#closed) return;
    this.#confirmedAt = askedAt;
    this.#open = true;
    if (!this.#isFailing()) return;
    this.#reasons.clear();
    clearTimeout(this.#expiry);
    this.#announce(() => this.#events.emit('live'));
  }

  /** A request to the registry has failed: the list is stale until the next {@link confirm}. */
  fail(reason: Error): void {
    if (this.#closed) return;
    this.#lastError = reason.message;
    if (!this.#open) return;
    const wasFailing = this.#isFailing();
    if (this.#reasons.size < MAX_REASONS && !this.#reasons.has(reason.message)) {
      this.#reasons.add(reason.message);
      this.#announce(() => this.#events.emit(wasFailing ? 'still-stale' : 'stale', reason));
    }
    if (wasFailing) return;
    if (this.#maxStaleMs === Infinity) return;
    const left = this.#maxStaleMs - (performance.now() - this.#confirmedAt);
    // A timer drops the fraction of its delay, and counts from a clock without fractions: so the state is `expired` when it fires.
    this.#expiry = setTimeout(() => this.#events.emit('expired'), Math.ceil(Math.max(0, left)) + 1);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#expiry);
  }

  #isFailing(): boolean {
    return this.#reasons.size > 0;
  }

  #state(): DirectoryStatus['state'] {
    if (this.#closed) return 'closed';
    if (!this.#isFailing()) return 'live';
    return performance.now() - this.#confirmedAt < this.#maxStaleMs ? 'stale' : 'expired';
  }

  #hold(entries: Iterable<string | Error>): void {
    const known = this.#entries;
    const next = new Map<string, string | undefined>();
    const refusals: Error[] = [];
    for (const entry of entries) {
      const key = typeof entry === 'string' ? entry : entry.message;
      if (!next.has(key)) next.set(key, known.has(key) ? known.get(key) : canonicalOrRefused(entry, refusals));
    }
    this.#entries = next;
    this.#rebuild();
    const last = refusals.at(-1);
    if (last === undefined) return;
    this.#lastError = last.message;
    this.#announce(() => this.#events.emit('skipped', refusals));
  }

  #rebuild(): void {
    const meant = [...this.#entries.values()].filter((endpoint) => endpoint !== undefined);
    this.#counters.skipped = this.#entries.size - meant.length;
    const next = [...new Set([...meant, ...this.#own])].sort();
    if (sameItems(next, this.#endpoints)) return;
    const endpoints = (this.#endpoints = Object.freeze(next));
    this.#announce(() => this.#events.emit('change', endpoints));
  }

  /** Listeners run once the current step is complete: they may throw, or close the directory, which silences the rest. */
  #announce(emit: () => void): void {
    if (!this.#open) return;
    process.nextTick(() => {
      if (!this.#closed) emit();
    });
  }
}

function canonicalOrRefused(entry: string | Error, refusals: Error[]): string | undefined {
  try {
    if (typeof entry !== 'string') throw entry;
    return coordinatorEndpoint(entry);
  } catch (error) {
    // Nothing but EndpointSyntaxError, or the entry itself.
    refusals.push(error as Error);
    return undefined;
  }
}

function sameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
