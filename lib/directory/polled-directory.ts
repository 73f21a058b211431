import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../request/deadline.js';
import { withReason } from '../text/reason.js';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from './directory.js';
import { HeldList } from './held-list.js';
import type { PolledDirectorySettings } from './options.js';

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
