import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../directory/directory.js';
import { HeldList } from '../directory/held-list.js';
import { askForRecords } from './ask.js';
import { endpointTexts } from './endpoint-texts.js';
import type { SrvSettings } from './options.js';

/** A list that follows the SRV records of one name. */
export class SrvDirectory extends EventEmitter<DirectoryEvents> implements EndpointDirectory {
  readonly provider: EndpointDirectory['provider'];
  readonly #settings: SrvSettings;
  readonly #list: HeldList;
  readonly #closing = new AbortController();
  #lastWasEmpty = false;
  #polling = Promise.resolve();

  constructor(settings: SrvSettings) {
    super();
    this.#settings = settings;
    this.#list = new HeldList(this, settings.maxStaleMs);
    this.provider = this.#list.provider;
    for (const endpoint of settings.include) this.#list.include(endpoint);
  }

  /** Reads the first list, then keeps asking until {@link close}. See `createSrvDirectory`. */
  async open(): Promise<void> {
    const { name, connectTimeoutMs } = this.#settings;
    const start = new AbortController();
    const timer = setTimeout(() => {
      start.abort(new Error(`no answer within connectTimeoutMs, ${String(connectTimeoutMs)} ms`));
    }, connectTimeoutMs);
    try {
      // There is no list to keep in doubt: an empty answer is asked for again at once.
      while (!(await this.#ask(start.signal)));
    } catch (error) {
      const cause = (start.signal.aborted ? start.signal.reason : error) as Error;
      throw new Error(`no list from the SRV records of ${name}: ${cause.message}`, { cause });
    } finally {
      clearTimeout(timer);
    }
    this.#polling = this.#poll(this.#closing.signal);
  }

  status(): DirectoryStatus {
    return this.#list.status();
  }

  close(): Promise<void> {
    this.#list.close();
    this.#closing.abort();
    return this.#polling;
  }

  /** Never two questions at a time: the wait begins when the last answer is in. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { pollIntervalMs } = this.#settings;
    while (!signal.aborted) {
      try {
        await sleep(pollIntervalMs, undefined, { signal });
        await this.#ask(signal);
      } catch (error) {
        this.#lastWasEmpty = false;
        this.#list.fail(error as Error);
      }
    }
  }

  /**
   * Asks once and takes the list over; tells whether there is one. An empty answer counts when it is the second running: the
   * first one may come from a server that is still loading its records.
   */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const askedAt = performance.now();
    const records = await askForRecords(this.#settings, signal);
    signal.throwIfAborted();
    const doubtful = records.length === 0 && !this.#lastWasEmpty;
    this.#lastWasEmpty = records.length === 0;
    if (doubtful) return false;
    this.#list.relist(endpointTexts(records, this.#settings));
    this.#list.confirm(askedAt);
    return true;
  }
}
