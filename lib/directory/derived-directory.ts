import { EventEmitter } from 'node:events';
import { inTurns } from '../request/in-turns.js';
import { makeRoom } from '../request/deadline.js';
import type { DirectoryStatus, EndpointDirectory } from './directory.js';
import { EntryList, type Candidate, type WhenNoneHealthy } from './entry-list.js';
import { backendUnavailable } from './list-age.js';

/** Where entries come from: a fixed list, canonical, or a directory. */
export type EntrySource = readonly string[] | EndpointDirectory;

/** Longer lists are chosen from no more often than once in a ms for each 100 entries, so that the work stays a part of the time. */
const AT_ONCE = 1000;
const ENTRIES_PER_MS = 100;

/** How a fixed list stands. */
const FIXED = { state: 'live', ageMs: 0, relists: 0, events: 0 } as DirectoryStatus;
const PASSED = ['live', 'stale', 'still-stale', 'expired', 'skipped'] as const;

/**
 * A directory behind another one: its entries flow in, with all that is known of them; more becomes known; the list is chosen last. The
 * states of the other directory pass through.
 */
export abstract class DerivedDirectory extends EventEmitter implements EndpointDirectory {
  readonly #source: EntrySource;
  readonly #whenNoneHealthy: WhenNoneHealthy | undefined;
  readonly #list = new EntryList();
  readonly #ignoreSource: () => void;
  readonly #whenClosed = Promise.resolve();
  /** Those of a fixed list, or of a directory that has no entries. */
  #plain: readonly Candidate[] | undefined;
  /** The entries of the source, as last seen, and what is made of each. */
  #entries: readonly Candidate[] | undefined;
  #candidates: readonly Candidate[] = [];
  #made: ReadonlyMap<Candidate, Candidate> = new Map();
  #isFollowing = false;
  #refreshedAt = 0;
  #refreshTimer: NodeJS.Timeout | undefined;
  #isOpen = false;
  #isClosed = false;

  /** @param whenNoneHealthy - Where this directory decides it; the source knows otherwise. */
  constructor(source: EntrySource, whenNoneHealthy?: WhenNoneHealthy) {
    super();
    this.#source = source;
    this.#whenNoneHealthy = whenNoneHealthy;
    this.#ignoreSource = 'provider' in source ? this.#follow(source) : () => undefined;
  }

  /** What is known of each entry behind this directory; asked for other entries only, and after {@link rederive}. */
  protected abstract derive(entries: readonly Candidate[]): readonly Candidate[];

  /** Prepares for an entry that {@link derive} may get, and that is not skipped. */
  protected expect?(source: string, endpoint: string): void;

  readonly provider = (): readonly string[] => {
    if (this.#isClosed) throw backendUnavailable();
    // Throws for a list that is too old.
    if ('provider' in this.#source) this.#source.provider();
    if (this.#list.isAllDown && this.#fallback() === 'fail') throw backendUnavailable();
    return this.#list.endpoints;
  };

  status(): DirectoryStatus {
    const status = 'provider' in this.#source ? this.#source.status() : FIXED;
    const { state, ageMs, relists, events, lastError } = status;
    const whenNoneHealthy = this.#whenNoneHealthy ?? status.whenNoneHealthy;
    return {
      state: this.#isClosed ? 'closed' : state,
      ageMs,
      relists,
      events,
      ...(lastError !== undefined && { lastError }),
      ...this.#list.numbers(),
      ...(whenNoneHealthy !== undefined && { whenNoneHealthy }),
    };
  }

  /** Chooses the first list; from now on events are emitted. */
  protected begin(): void {
    try {
      this.refresh();
    } catch (error) {
      void this.close();
      throw error;
    }
    this.#isOpen = true;
  }

  /** Chooses anew, from the entries that the source has now. */
  protected refresh(entries = this.#sourceEntries()): void {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    if (entries !== this.#entries) this.#candidates = this.derive(entries);
    this.#entries = entries;
    const changed = this.#list.choose(this.#candidates, this.#fallback());
    this.#refreshedAt = performance.now();
    const { endpoints } = this.#list;
    if (changed === 'list') this.announce('change', endpoints);
    if (changed !== undefined) this.announce('entries');
  }

  /** The same where {@link derive} has something else to say of the same entries. */
  protected rederive(): void {
    this.#entries = undefined;
    this.#made = new Map();
    this.refresh();
  }

  /** Makes a candidate of each entry, of one that stays only once: what is the same candidate again is not chosen again. */
  protected each(entries: readonly Candidate[], make: (entry: Candidate) => Candidate): readonly Candidate[] {
    const before = this.#made;
    this.#made = new Map(entries.map((entry) => [entry, before.get(entry) ?? make(entry)]));
    return [...this.#made.values()];
  }

  /** The same for one of many small changes: at once for a list that is not long, soon otherwise. */
  protected refreshSoon(): void {
    // The list is not visible before it is open, and there is a choice then, as there is when a long list has been followed.
    if (!this.#isOpen || this.#isFollowing || this.#refreshTimer !== undefined) return;
    const { length } = this.#list.numbers().entries;
    const wait = this.#refreshedAt + length / ENTRIES_PER_MS - performance.now();
    if (length < AT_ONCE || wait <= 0) this.refresh();
    else this.#refreshTimer = setTimeout(() => this.refresh(), wait);
  }

  /** Listeners run when the step that called is done: they may throw, or close the directory. */
  protected announce(event: string, ...args: unknown[]): void {
    if (!this.#isOpen) return;
    process.nextTick(() => {
      if (!this.#isClosed) this.emit(event, ...args);
    });
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      clearTimeout(this.#refreshTimer);
      this.#ignoreSource();
    }
    return this.#whenClosed;
  }

  #fallback(): WhenNoneHealthy | undefined {
    return this.#whenNoneHealthy ?? ('provider' in this.#source ? this.#source.status().whenNoneHealthy : undefined);
  }

  /** A directory of another make may have no entries. While its provider throws, as for a list that is too old, the last ones stay. */
  #sourceEntries(): readonly Candidate[] {
    if (!('provider' in this.#source)) return (this.#plain ??= candidatesOf(this.#source));
    const entries = entriesOf(this.#source);
    if (entries !== undefined) return entries;
    try {
      this.#plain = candidatesOf(this.#source.provider());
    } catch (error) {
      if (this.#plain === undefined) throw error;
    }
    return this.#plain;
  }

  /** Follows a long list a turn of the event loop later, so that not all that stand behind each other choose in one turn. */
  async #followInTurns(entries: readonly Candidate[]): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    clearTimeout(this.#refreshTimer);
    await inTurns(entries, ({ source, endpoint }) => {
      if (!this.#isClosed && endpoint !== undefined) this.expect?.(source, endpoint);
    });
    this.#isFollowing = false;
    if (!this.#isClosed) this.refresh();
  }

  #follow(directory: EndpointDirectory): () => void {
    const refresh = (): void => {
      const entries = this.#sourceEntries();
      if (entries.length < AT_ONCE) this.refresh(entries);
      else void this.#followInTurns(entries);
    };
    const listeners: (readonly [event: string, listener: (...args: unknown[]) => void])[] = [
      [entriesOf(directory) === undefined ? 'change' : 'entries', refresh],
      ...PASSED.map((event) => [event, (...args: unknown[]) => this.announce(event, ...args)] as const),
    ];
    const emitter = directory as unknown as Pick<EventEmitter, 'on' | 'off'>;
    makeRoom(directory, 1);
    for (const [event, listener] of listeners) emitter.on(event, listener);
    return () => {
      makeRoom(directory, -1);
      for (const [event, listener] of listeners) emitter.off(event, listener);
    };
  }
}

function entriesOf(directory: EndpointDirectory): readonly Candidate[] | undefined {
  const { entries }: { readonly entries?: readonly Candidate[] } = directory.status();
  return entries;
}

function candidatesOf(endpoints: readonly string[]): readonly Candidate[] {
  return endpoints.map((endpoint) => ({ source: endpoint, endpoint }));
}
