import type { Candidate } from '../directory/entry-list.js';
import { DerivedDirectory } from '../directory/derived-directory.js';
import type { DirectoryEvents, Emitter, EndpointDirectory } from '../directory/directory.js';
import { within } from '../request/deadline.js';
import { CheckSchedule } from './check-schedule.js';
import { readHealthOptions, type HealthDirectoryOptions, type HealthSettings } from './options.js';

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

/**
 * Opens a directory that keeps dead servers off another directory's list, or off a fixed list, by checking every endpoint regularly.
 *
 * Resolves after the first round, in which a single check decides for each endpoint, or after `connectTimeoutMs`. An endpoint that joins
 * later, or was never up, is listed after one successful check. One that was up is removed after `fall` failed checks in a row and restored
 * after `rise` successful ones. A check that `close()` or a change of the list interrupts does not count.
 *
 * @example
 * ```ts
 * import { createHealthDirectory } from 'express-endpoint-listing/health';
 *
 * const directory = await createHealthDirectory({ endpoints: ['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529'] });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws The reason of `options.signal`, if that aborts first.
 * @throws An http-error 503 with `errorNum` 1478 if the given directory is expired or closed.
 */
export async function createHealthDirectory(options: HealthDirectoryOptions): Promise<HealthDirectory> {
  const settings = readHealthOptions(options);
  // Throws for a list that is too old.
  if ('provider' in settings.endpoints) settings.endpoints.provider();
  return new CheckedDirectory(settings).open();
}

class CheckedDirectory extends DerivedDirectory implements HealthDirectory {
  readonly #settings: HealthSettings;
  readonly #checks: CheckSchedule;
  /** Resolves when each endpoint has been checked once. */
  #round: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(settings: HealthSettings) {
    super(settings.endpoints, settings.whenNoneHealthy);
    this.#settings = settings;
    this.#checks = new CheckSchedule(settings, {
      up: (endpoint) => {
        this.refreshSoon();
        this.announce('up', endpoint);
      },
      down: (endpoint, reason) => {
        this.refreshSoon();
        this.announce('down', endpoint, reason);
      },
    });
  }

  /** Awaits the first round. Throws the reason of the option `signal` when that aborts first. */
  async open(): Promise<this> {
    const { connectTimeoutMs, signal } = this.#settings;
    const firstRound = (): Promise<unknown> => {
      this.refresh();
      return this.#round;
    };
    // What takes longer goes on, and is no failure.
    await within(connectTimeoutMs, signal, firstRound).catch(() => undefined);
    if (signal?.aborted === true) {
      await this.close();
      throw signal.reason;
    }
    this.begin();
    return this;
  }

  override close(): Promise<void> {
    void super.close();
    return (this.#closed ??= this.#checks.close());
  }

  protected override expect(source: string): void {
    this.#checks.expect(source);
  }

  /** Every endpoint of the source that may be listed is checked, each once, wherever clients are sent. */
  protected derive(entries: readonly Candidate[]): readonly Candidate[] {
    const sources = entries.flatMap(({ source, endpoint }) => (endpoint === undefined ? [] : source));
    this.#round = this.#checks.watch(sources);
    return this.each(entries, (entry) => {
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
