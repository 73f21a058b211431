import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyOf } from '../listing/lists.js';
import { readOptions } from '../options/read-options.js';
import { callback, milliseconds, TEXT } from '../options/rules.js';
import { within } from '../request/deadline.js';
import { errorOf, withReason } from '../text/reason.js';
import { shown } from '../text/shown.js';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from './directory.js';
import { HeldList } from './held-list.js';
import { POLLED_DIRECTORY_RULES, type PolledDirectorySettings, type PollingOptions } from './options.js';

type ReadRegistry = (signal: AbortSignal) => (Iterable<string> & object) | PromiseLike<Iterable<string> & object>;

/** Options of `createPolledDirectory`. Only `read` is required; none may be `undefined`. */
export interface PolledDirectoryOptions extends PollingOptions {
  /**
   * Reads the complete list once, sync or async: an array or another iterable of endpoints. It throws when it cannot, and should
   * end when the signal aborts: after `timeoutMs`, and when the directory is closed.
   */
  readonly read: ReadRegistry;
  /**
   * ms that one reading may take; one that takes longer has failed.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
  /**
   * What is read, for messages: `Consul`.
   * @defaultValue `'the registry'`
   */
  readonly name?: string;
}

const RULES = {
  read: callback<ReadRegistry>(),
  timeoutMs: milliseconds(1, 5000),
  name: { ...TEXT, fallback: 'the registry' },
  ...POLLED_DIRECTORY_RULES,
};

/**
 * Opens a directory that polls a list which you read yourself: from your own registry, a file, a table.
 *
 * Resolves with the first list in memory. A failed reading makes the list `stale`; it is still served for up to `maxStaleMs`. An empty list
 * counts after two in a row; an invalid entry is skipped. Readings never overlap.
 *
 * @example
 * ```ts
 * import { createPolledDirectory } from 'express-endpoint-listing/directory';
 * import { readFile } from 'node:fs/promises';
 *
 * const directory = await createPolledDirectory({
 *   read: async (signal) => JSON.parse(await readFile('coordinators.json', { encoding: 'utf8', signal })) as string[],
 * });
 * ```
 * @throws `TypeError` for invalid options, naming the option, the value and what is allowed.
 * @throws `Error` if there is no first list, with the reason in its message and as its `cause`: at once if the reading fails, otherwise
 *   after `connectTimeoutMs`. It does not retry.
 * @throws The reason of `options.signal`, if that aborts first.
 */
export async function createPolledDirectory(options: PolledDirectoryOptions): Promise<EndpointDirectory> {
  const { read, timeoutMs, name, ...settings } = readOptions('createPolledDirectory', options, RULES);
  const directory = new PolledDirectory(async (signal) => {
    const given = await within(timeoutMs, signal, read).catch((thrown: unknown) => {
      throw errorOf(thrown, 'the function read');
    });
    const entries = copyOf(given, 'the function read').map(textOrError);
    return entries.length === 0 ? undefined : entries;
  }, settings);
  return directory.open(name);
}

function textOrError(entry: unknown): string | Error {
  return typeof entry === 'string' ? entry : new Error(`an entry is no text, but ${shown(entry)}`);
}

/**
 * Reads the complete list once: texts as the registry has them, and an Error for each entry that is no text; `undefined` when
 * the registry has nothing, which counts when it says so twice in a row.
 *
 * @param signal - Ends the request when it aborts.
 */
export type ReadList = (signal: AbortSignal) => Promise<readonly (string | Error)[] | undefined>;

/** A list that follows a registry which has to be asked again and again. */
export class PolledDirectory extends EventEmitter<DirectoryEvents> implements EndpointDirectory {
  readonly provider: EndpointDirectory['provider'];
  readonly #read: ReadList;
  readonly #settings: PolledDirectorySettings;
  readonly #list: HeldList;
  readonly #closing = new AbortController();
  #lastWasEmpty = false;
  #polling = Promise.resolve();

  /** @param hide - See {@link HeldList}. */
  constructor(read: ReadList, settings: PolledDirectorySettings, hide?: (text: string) => string) {
    super();
    this.#read = read;
    this.#settings = settings;
    this.#list = new HeldList(this, settings.maxStaleMs, hide);
    this.provider = this.#list.provider;
    for (const endpoint of settings.include) this.#list.include(endpoint);
  }

  /**
   * Reads the first list, then polls until {@link close}.
   *
   * @param registry - For the message of a failure: `the SRV records of ...`.
   * @throws Error when there is no first list, with the reason as its `cause`: at once when the read fails, after
   *   `connectTimeoutMs` otherwise.
   * @throws The reason of the option `signal`, when that aborts first.
   */
  async open(registry: string): Promise<this> {
    const { connectTimeoutMs, signal } = this.#settings;
    const late = (): Error => new Error(`no answer within connectTimeoutMs, ${String(connectTimeoutMs)} ms`);
    const firstList = async (limited: AbortSignal): Promise<void> => {
      // There is no list to keep when in doubt: an empty answer is asked for again at once.
      while (!(await this.#poll(limited)));
    };
    try {
      await within(connectTimeoutMs, signal, firstList, late);
    } catch (error) {
      signal?.throwIfAborted();
      const cause = withReason(error);
      throw new Error(`no list from ${registry}: ${cause.message}`, { cause });
    }
    this.#polling = this.#pollUntil(this.#closing.signal);
    return this;
  }

  status(): DirectoryStatus {
    return this.#list.status();
  }

  close(): Promise<void> {
    this.#list.close();
    this.#closing.abort();
    return this.#polling;
  }

  /** Never two polls at a time: the wait begins when the last answer is in. */
  async #pollUntil(signal: AbortSignal): Promise<void> {
    const { pollIntervalMs } = this.#settings;
    while (!signal.aborted) {
      try {
        await sleep(pollIntervalMs, undefined, { signal });
        await this.#poll(signal);
      } catch (error) {
        this.#lastWasEmpty = false;
        this.#list.fail(withReason(error));
      }
    }
  }

  /**
   * Reads once and takes the list over; true when there is one. A registry that has nothing is believed the second time in a
   * row: it may still be loading.
   */
  async #poll(signal: AbortSignal): Promise<boolean> {
    const askedAt = performance.now();
    const entries = await this.#read(signal);
    await this.#list.readAhead(entries ?? []);
    signal.throwIfAborted();
    const isDoubtful = entries === undefined && !this.#lastWasEmpty;
    this.#lastWasEmpty = entries === undefined;
    if (isDoubtful) return false;
    this.#list.relist(entries ?? []);
    this.#list.confirm(askedAt);
    return true;
  }
}
