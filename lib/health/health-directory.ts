import { EventEmitter } from 'node:events';
import type { DirectoryEvents, DirectoryStatus, Emitter, EndpointDirectory } from '../directory/directory.js';
import { backendUnavailable } from '../directory/unavailable.js';
import { within } from '../request/deadline.js';
import { makeRoom } from '../request/room-for-listeners.js';
import { CheckSchedule } from './check-schedule.js';
import type { HealthSettings } from './options.js';
import type { EndpointHealth } from './tracked-endpoint.js';

export type { EndpointHealth } from './tracked-endpoint.js';

/** The events of a directory with health checks: those of the directory behind it, and two of its own. */
export interface HealthEvents extends DirectoryEvents {
  /** An endpoint is on the list, again or for the first time. */
  up: [endpoint: string];
  /** An endpoint is off the list. */
  down: [endpoint: string, reason: Error];
}

/** How a directory with health checks stands: as the directory behind it, and how each endpoint does. */
export interface HealthStatus extends DirectoryStatus {
  readonly endpoints: readonly EndpointHealth[];
}

/** A list without the dead. */
export interface HealthDirectory
  extends Omit<EndpointDirectory, keyof Emitter<DirectoryEvents>>, Emitter<HealthEvents> {
  status(): HealthStatus;
}

/** Where the whole list comes from. */
type Source = Pick<EndpointDirectory, 'provider' | 'status'>;

/** See `createHealthDirectory`. */
export class CheckedDirectory extends EventEmitter<HealthEvents> implements HealthDirectory {
  readonly #settings: HealthSettings;
  readonly #source: Source;
  readonly #checks: CheckSchedule;
  readonly #ignoreSource: () => void;
  /** The whole list, as last seen. */
  #all: readonly string[];
  #listed: readonly string[];
  #isOpen = false;
  #closed: Promise<void> | undefined;

  constructor(settings: HealthSettings) {
    super();
    this.#settings = settings;
    const { endpoints } = settings;
    this.#source = 'provider' in endpoints ? endpoints : fixedSource(endpoints);
    this.#all = this.#listed = this.#source.provider();
    this.#checks = new CheckSchedule(settings, {
      up: (endpoint) => {
        this.#relist();
        this.#announce('up', endpoint);
      },
      down: (endpoint, reason) => {
        this.#relist();
        this.#announce('down', endpoint, reason);
      },
    });
    this.#ignoreSource = 'provider' in endpoints ? this.#follow(endpoints) : () => undefined;
  }

  /** See `EndpointDirectory.provider`. */
  readonly provider = (): readonly string[] => {
    if (this.#closed !== undefined) throw backendUnavailable();
    // Throws for a list that is too old.
    this.#source.provider();
    if (this.#listed.length === 0 && this.#all.length > 0 && this.#settings.whenNoneHealthy === 'fail') {
      throw backendUnavailable();
    }
    return this.#listed;
  };

  /** Awaits the first round. Throws the reason of the option `signal` when that aborts first. */
  async open(): Promise<this> {
    const { connectTimeoutMs, signal } = this.#settings;
    const firstRound = (): Promise<unknown> => this.#checks.watch(this.#all);
    // What takes longer goes on, and is no failure.
    await within(connectTimeoutMs, signal, firstRound).catch(() => undefined);
    if (signal?.aborted === true) {
      await this.close();
      throw signal.reason;
    }
    this.#relist();
    this.#isOpen = true;
    return this;
  }

  status(): HealthStatus {
    return {
      ...this.#source.status(),
      ...(this.#closed !== undefined && { state: 'closed' }),
      count: this.#listed.length,
      endpoints: this.#checks.healthOf(this.#all),
    };
  }

  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#ignoreSource();
      this.#closed = this.#checks.close();
    }
    return this.#closed;
  }

  /** Passes on what happens to a directory; returns what ends that. */
  #follow(directory: EndpointDirectory): () => void {
    const listeners = {
      change: (endpoints: readonly string[]): void => {
        this.#all = endpoints;
        void this.#checks.watch(endpoints);
        this.#relist();
      },
      live: this.#passOn('live'),
      stale: this.#passOn('stale'),
      'still-stale': this.#passOn('still-stale'),
      expired: this.#passOn('expired'),
      skipped: this.#passOn('skipped'),
    };
    const all = Object.entries(listeners) as [never, never][];
    makeRoom(directory, 1);
    for (const [event, listener] of all) directory.on(event, listener);
    return () => {
      for (const [event, listener] of all) directory.off(event, listener);
      makeRoom(directory, -1);
    };
  }

  #passOn<E extends keyof HealthEvents>(event: E): (...args: HealthEvents[E]) => void {
    return (...args) => {
      this.#announce(event, ...args);
    };
  }

  #relist(): void {
    const healthy = this.#all.filter((endpoint) => this.#checks.isUp(endpoint));
    const listed = healthy.length === 0 && this.#settings.whenNoneHealthy === 'all' ? this.#all : healthy;
    if (isSameList(listed, this.#listed)) return;
    this.#listed = Object.freeze(listed);
    this.#announce('change', listed);
  }

  /** Listeners run when the step that called is done: they may throw, or close the directory. */
  #announce<E extends keyof HealthEvents>(event: E, ...args: HealthEvents[E]): void {
    if (!this.#isOpen) return;
    process.nextTick(() => {
      if (this.#closed === undefined)
        (this as Emitter<HealthEvents> & { emit(...all: unknown[]): boolean }).emit(event, ...args);
    });
  }
}

function fixedSource(endpoints: readonly string[]): Source {
  const { length: count } = endpoints;
  return {
    provider: () => endpoints,
    status: () => ({ state: 'live', ageMs: 0, count, skipped: 0, relists: 0, events: 0 }),
  };
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
