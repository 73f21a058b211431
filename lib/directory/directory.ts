import type { EventEmitter } from 'node:events';

/** What health checks say of one endpoint. */
export interface EntryCheck {
  /** `unknown`: no check has ended yet. */
  readonly state: 'unknown' | 'up' | 'down';
  /** When this state began, as `Date.now()` counts. */
  readonly since: number;
  /** Why the last check that failed did so; it stays after recovery. */
  readonly reason?: string;
  /** ms that the last check took. */
  readonly ms?: number;
}

/** What became of one endpoint of the source of a list. */
export interface DirectoryEntry {
  /** The endpoint as the source has it, canonical; for what is no endpoint, its text, made printable. */
  readonly source: string;
  /** What clients get: the same, or its translation; absent where there is none. */
  readonly endpoint?: string;
  /**
   * `listed`: on the list. `down`: its health checks keep it off. `skipped`: it has no endpoint that could be listed. While nothing is
   * healthy and the whole list is served, entries are `listed` though their check is down.
   */
  readonly state: 'listed' | 'down' | 'skipped';
  /** Why it is skipped: it is no endpoint, it cannot be listed, or no rule names it. */
  readonly reason?: string;
  /** When this state began, as `Date.now()` counts. */
  readonly since: number;
  /** Where health is checked: as of now, whenever it is read. */
  readonly check?: EntryCheck;
}

/** How a directory stands, from memory; for a readiness check and for monitoring. */
export interface DirectoryStatus {
  /**
   * `live`: the registry has confirmed the list lately. `stale`: it does not answer, the last list is served. `expired`: for
   * longer than `maxStaleMs`, the provider throws. `closed`: after `close()`, the provider throws.
   */
  readonly state: 'live' | 'stale' | 'expired' | 'closed';
  /** ms since the registry last confirmed the list. */
  readonly ageMs: number;
  /** Endpoints in the list. */
  readonly count: number;
  /** Entries that health checks keep off the list. */
  readonly down: number;
  /** Entries that the source holds now and that are skipped: no Coordinator's endpoint, or one that no rule names. */
  readonly skipped: number;
  /** Where health is checked: entries that have an endpoint and are up. With 0, what `whenNoneHealthy` says is served. */
  readonly healthy?: number;
  /** Where health is checked: what is served while nothing is healthy. */
  readonly whenNoneHealthy?: 'all' | 'none' | 'fail';
  /** All entries, in the order of the list; kept, so that it costs nothing to read them. */
  readonly entries: readonly DirectoryEntry[];
  /** Complete lists read so far. */
  readonly relists: number;
  /** Single changes that the registry has reported so far; 0 when it reports none. */
  readonly events: number;
  /** The last failure or the last skipped entry; it stays after recovery. Never holds a password or a token. */
  readonly lastError?: string;
}

/**
 * The events of a directory and what their listeners get.
 *
 * Listeners run on their own: what one throws is an uncaught exception of the process and changes nothing in the directory.
 */
export interface DirectoryEvents {
  /** The list is right again, after `stale`. */
  live: [];
  /** The registry is unreachable, or its answer unusable. Emitted once per outage, with the first reason. */
  stale: [reason: Error];
  /** While stale: the registry fails for another reason than before. Each reason is given once per outage, and no more than 20. */
  'still-stale': [reason: Error];
  /** There is another list: the one that the provider gives from now on. */
  change: [endpoints: readonly string[]];
  /** `status().entries` has changed: what is on the list, what is not, or why. Comes with every `change`, after it. */
  entries: [];
  /** Stale for longer than `maxStaleMs`: the provider throws. */
  expired: [];
  /**
   * Entries that are no Coordinator's endpoint have turned up at the registry; each is reported once, as long as it stays.
   * Those that were there before the directory was open stand in `status()` only.
   */
  skipped: [refusals: readonly Error[]];
}

/**
 * An `EventEmitter` that emits known events.
 *
 * `EventEmitter` itself takes its events as a type only since `@types/node` 20.11: with older types, these methods would be
 * missing.
 */
export interface Emitter<Events extends Record<keyof Events, unknown[]>> extends Omit<EventEmitter, ListenerMethod> {
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  once<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  addListener<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  prependListener<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  prependOnceListener<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  off<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  removeListener<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
}

type ListenerMethod =
  'on' | 'once' | 'addListener' | 'prependListener' | 'prependOnceListener' | 'off' | 'removeListener';

/**
 * The list of the living Coordinators, kept in memory and up to date by a registry that tracks live servers.
 *
 * An open directory keeps the process running, as a listening server does, until `close()`.
 */
export interface EndpointDirectory extends Emitter<DirectoryEvents> {
  /**
   * An `EndpointProvider` for `createEndpointRouter`; works detached. Reads memory only, whatever the registry does: sorted,
   * without repetitions, frozen, and the same array until there is a change.
   *
   * Throws an http-error 503 with `errorNum` 1478 once the list has been stale for `maxStaleMs`, and after `close()`.
   */
  readonly provider: () => readonly string[];
  status(): DirectoryStatus;
  /** Ends every connection and timer. Never rejects; a second call gives the same promise. */
  close(): Promise<void>;
}
