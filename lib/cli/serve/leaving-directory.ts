import { EventEmitter } from 'node:events';
import { DerivedList } from '../../directory/derived-list.js';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../../directory/directory.js';

/** A list that this server can leave, whatever its source still says. */
export class LeavingDirectory extends EventEmitter<DirectoryEvents> implements EndpointDirectory {
  #gone: ReadonlySet<string> = new Set();
  readonly #list: DerivedList;
  readonly provider: EndpointDirectory['provider'];

  constructor(source: EndpointDirectory) {
    super();
    this.#list = new DerivedList(this, source, (entries) =>
      this.#gone.size === 0 ? entries : entries.filter((entry) => !this.#gone.has(entry.source)),
    );
    this.provider = this.#list.provider;
    this.#list.refresh();
    this.#list.open();
  }

  /** @param own - The endpoints of this server, as the source may have them. */
  leave(own: readonly string[]): void {
    this.#gone = new Set(own);
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
