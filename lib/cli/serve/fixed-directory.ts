import { EventEmitter } from 'node:events';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../../directory/directory.js';
import { HeldList } from '../../directory/held-list.js';

/** A fixed list that SIGHUP may replace, as a directory: for health checks, which follow one. */
export class FixedDirectory extends EventEmitter<DirectoryEvents> implements EndpointDirectory {
  readonly #list = new HeldList(this, Infinity);
  readonly provider = this.#list.provider;

  constructor(endpoints: readonly string[]) {
    super();
    this.replace(endpoints);
  }

  replace(endpoints: readonly string[]): void {
    this.#list.relist(endpoints);
    this.#list.confirm(performance.now());
  }

  status(): DirectoryStatus {
    return { ...this.#list.status(), ageMs: 0 };
  }

  close(): Promise<void> {
    this.#list.close();
    return Promise.resolve();
  }
}
