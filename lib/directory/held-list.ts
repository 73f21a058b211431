import type { EventEmitter } from 'node:events';
import type { EndpointSyntaxError } from '../endpoint/endpoint.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import { inTurns } from '../request/in-turns.js';
import { bare, printable } from '../text/shown.js';
import type { DirectoryEvents, DirectoryStatus } from './directory.js';
import { EntryList, type Candidate } from './entry-list.js';
import { backendUnavailable } from './list-age.js';

/** Of one outage. A server may say something new every time. */
const MAX_REASONS = 20;

/** What an entry of the registry means. */
interface Held extends Candidate {
  /** Why it is skipped. */
  readonly refusal?: Error;
}

/** The list that a directory holds in memory, and how long it may stand by it. Ages go by `performance.now()`. */
export class HeldList {
  readonly #events: EventEmitter<DirectoryEvents>;
  readonly #maxStaleMs: number;
  readonly #hide: (text: string) => string;
  readonly #own = new Set<string>();
  /** What each entry of the registry means, by its text. */
  #held: ReadonlyMap<string, Held> = new Map();
  /** The same of those that the next list may have. */
  #ahead: ReadonlyMap<string, Held> = new Map();
  readonly #list = new EntryList();
  #confirmedAt = performance.now();
  /** Has been confirmed once: before that, the directory is not open. */
  #open = false;
  /** The reasons of this outage that have been announced; none while there is no outage. */
  readonly #reasons = new Set<string>();
  #closed = false;
  #expiry: NodeJS.Timeout | undefined;
  #counters = { relists: 0, events: 0 };
  #lastError: string | undefined;

  /**
   * @param events - Gets `live`, `stale`, `still-stale`, `change`, `expired` and `skipped`, each after the step that caused it is
   *   complete; none before the first confirmation, with which the directory is open.
   * @param maxStaleMs - How old a list that the registry no longer confirms may get, in ms; `Infinity`: no limit.
   * @param hide - What may be repeated of the text of an entry that is no endpoint, or of a message about it.
   */
  constructor(events: EventEmitter<DirectoryEvents>, maxStaleMs: number, hide = (text: string) => text) {
    this.#events = events;
    this.#maxStaleMs = maxStaleMs;
    this.#hide = hide;
  }

  /** See `EndpointDirectory.provider`. */
  readonly provider = (): readonly string[] => {
    const state = this.#state();
    if (state === 'expired' || state === 'closed') throw backendUnavailable();
    return this.#list.endpoints;
  };

  status(): DirectoryStatus {
    return {
      state: this.#state(),
      ageMs: performance.now() - this.#confirmedAt,
      ...this.#list.numbers(),
      ...this.#counters,
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
    };
  }

  /** Reads what is new of a list, which {@link relist} then takes over at once, so that a long one delays no request. */
  async readAhead(entries: readonly (string | Error)[]): Promise<void> {
    const added = entries.filter((entry) => !this.#held.has(keyOf(entry)));
    this.#ahead = new Map(await inTurns(added, (entry) => [keyOf(entry), this.#read(entry)]));
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
    const known = this.#held;
    const next = new Map<string, Held>();
    const added: Held[] = [];
    for (const entry of entries) {
      const key = keyOf(entry);
      if (next.has(key)) continue;
      const held = known.get(key) ?? this.#ahead.get(key) ?? this.#read(entry);
      if (!known.has(key)) added.push(held);
      next.set(key, held);
    }
    this.#ahead = new Map();
    // What the registry repeats costs no more than this.
    if (added.length === 0 && next.size === known.size) return;
    this.#held = next;
    this.#rebuild();
    const refusals = added.flatMap(({ refusal }) => refusal ?? []);
    const last = refusals.at(-1);
    if (last === undefined) return;
    this.#lastError = last.message;
    this.#announce(() => this.#events.emit('skipped', refusals));
  }

  #read(entry: string | Error): Held {
    try {
      if (typeof entry !== 'string') throw entry;
      const endpoint = coordinatorEndpoint(entry);
      return { source: endpoint, endpoint };
    } catch (error) {
      // Nothing but EndpointSyntaxError, or the entry itself.
      const { message, reason } = error as Error & Partial<EndpointSyntaxError>;
      const said = this.#hide(message);
      const refusal = said === message ? (error as Error) : new Error(said);
      // Of what is no text, the message says what it was.
      if (typeof entry !== 'string') return { source: '', reason: printable(said), refusal };
      return { source: bare(this.#hide(entry)), reason: String(reason), refusal };
    }
  }

  #rebuild(): void {
    const listable = new Map<string, Candidate>();
    const skipped: Candidate[] = [];
    for (const candidate of this.#held.values()) {
      if (candidate.endpoint === undefined) skipped.push(candidate);
      else listable.set(candidate.endpoint, candidate);
    }
    for (const own of this.#own) listable.set(own, { source: own, endpoint: own });
    const sorted = [...listable.values()].sort((one, other) => (one.source < other.source ? -1 : 1));
    const changed = this.#list.choose([...sorted, ...skipped]);
    const { endpoints } = this.#list;
    if (changed === 'list') this.#announce(() => this.#events.emit('change', endpoints));
    if (changed !== undefined) this.#announce(() => this.#events.emit('entries'));
  }

  /** Listeners run once the current step is complete: they may throw, or close the directory, which silences the rest. */
  #announce(emit: () => void): void {
    if (!this.#open) return;
    process.nextTick(() => {
      if (!this.#closed) emit();
    });
  }
}

function keyOf(entry: string | Error): string {
  return typeof entry === 'string' ? entry : entry.message;
}
