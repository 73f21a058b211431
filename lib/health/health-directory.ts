import { EventEmitter } from 'node:events';
import { DerivedList } from '../directory/derived-list.js';
import type { DirectoryEvents, DirectoryStatus, Emitter, EndpointDirectory } from '../directory/directory.js';
import type { Candidate } from '../directory/entry-list.js';
import { within } from '../request/deadline.js';
import { CheckSchedule } from './check-schedule.js';
import type { HealthSettings } from './options.js';

/** The events of a directory with health checks: those of the directory behind it, and two of its own. */
export interface HealthEvents extends DirectoryEvents {
  /** An endpoint of the source is healthy, again or for the first time. */
  up: [endpoint: string];
  /** An endpoint of the source is not. */
  down: [endpoint: string, reason: Error];
}

/** A list without the dead. */
export interface HealthDirectory
  extends Omit<EndpointDirectory, keyof Emitter<DirectoryEvents>>, Emitter<HealthEvents> {}

/** See `createHealthDirectory`. */
export class CheckedDirectory extends EventEmitter<HealthEvents> implements HealthDirectory {
  readonly provider: HealthDirectory['provider'];
  readonly #settings: HealthSettings;
  readonly #list: DerivedList;
  readonly #checks: CheckSchedule;
  /** Resolves when each endpoint has been checked once. */
  #round: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(settings: HealthSettings) {
    super();
    this.#settings = settings;
    const { endpoints, whenNoneHealthy } = settings;
    this.#checks = new CheckSchedule(settings, {
      up: (endpoint) => {
        this.#list.refreshSoon();
        this.#list.announce('up', endpoint);
      },
      down: (endpoint, reason) => {
        this.#list.refreshSoon();
        this.#list.announce('down', endpoint, reason);
      },
    });
    const checked = (entries: readonly Candidate[]) => this.#checked(entries);
    this.#list = new DerivedList(this as EventEmitter<DirectoryEvents>, endpoints, checked, whenNoneHealthy);
    this.provider = this.#list.provider;
  }

  /** Awaits the first round. Throws the reason of the option `signal` when that aborts first. */
  async open(): Promise<this> {
    const { connectTimeoutMs, endpoints, signal } = this.#settings;
    // Throws for a list that is too old.
    if ('provider' in endpoints) endpoints.provider();
    const firstRound = (): Promise<unknown> => {
      this.#list.refresh();
      return this.#round;
    };
    // What takes longer goes on, and is no failure.
    await within(connectTimeoutMs, signal, firstRound).catch(() => undefined);
    if (signal?.aborted === true) {
      await this.close();
      throw signal.reason;
    }
    this.#list.refresh();
    this.#list.open();
    return this;
  }

  status(): DirectoryStatus {
    return this.#list.status();
  }

  close(): Promise<void> {
    this.#list.close();
    this.#closed ??= this.#checks.close();
    return this.#closed;
  }

  /** Every endpoint of the source that may be listed is checked, each once, wherever clients are sent. */
  #checked(entries: readonly Candidate[]): readonly Candidate[] {
    const sources = entries.flatMap(({ source, endpoint }) => (endpoint === undefined ? [] : source));
    this.#round = this.#checks.watch(sources);
    return entries.map((entry) => {
      const tracked = this.#checks.tracked(entry.source);
      return entry.endpoint === undefined || tracked === undefined ? entry : new CheckedCandidate(entry, tracked);
    });
  }
}

/** What is known of an endpoint that is checked. What another health directory has taken off stays off. */
class CheckedCandidate implements Candidate {
  readonly source: string;
  readonly endpoint: string | undefined;
  readonly #before: Candidate;
  readonly #tracked: Required<Pick<Candidate, 'check'>>;

  constructor(before: Candidate, tracked: Required<Pick<Candidate, 'check'>>) {
    this.source = before.source;
    this.endpoint = before.endpoint;
    this.#before = before;
    this.#tracked = tracked;
  }

  get check(): Candidate['check'] {
    const { check } = this.#before;
    return check === undefined || check.state === 'up' ? this.#tracked.check : check;
  }
}
