import { EventEmitter } from 'node:events';
import { DerivedList } from '../../directory/derived-list.js';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../../directory/directory.js';

/** A fixed list that SIGHUP may replace, as a directory, in the order in which it was given. */
export class FixedDirectory extends EventEmitter<DirectoryEvents> implements EndpointDirectory {
  #endpoints: readonly string[] = [];
  readonly #list = new DerivedList(this, [], () => this.#endpoints.map((endpoint) => ({ source: endpoint, endpoint })));
  readonly provider = this.#list.provider;

  constructor(endpoints: readonly string[]) {
    super();
    this.replace(endpoints);
    this.#list.open();
  }

  replace(endpoints: readonly string[]): void {
    this.#endpoints = endpoints;
    this.#list.refresh();
  }

  status(): DirectoryStatus {
    return this.#list.status();
  }

  close(): Promise<void> {
    this.#list.close();
    return Promise.resolve();
  }
}
