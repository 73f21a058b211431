import type { Candidate } from '../../directory/choose-listed.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';
import type { EndpointDirectory } from '../../directory/directory.js';

/** A list that this server can leave, whatever its source still says. */
export class LeavingDirectory extends DerivedDirectory {
  #gone: ReadonlySet<string> = new Set();

  constructor(source: EndpointDirectory) {
    super(source);
    this.begin();
  }

  /** @param own - The endpoints of this server, as the source may have them. */
  leave(own: readonly string[]): void {
    this.#gone = new Set(own);
    this.rederive();
  }

  protected derive(entries: readonly Candidate[]): readonly Candidate[] {
    return this.#gone.size === 0 ? entries : entries.filter((entry) => !this.#gone.has(entry.source));
  }
}
