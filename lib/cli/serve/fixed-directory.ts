import type { Candidate } from '../../directory/choose-listed.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';

/** A fixed list that SIGHUP may replace, as a directory, in the order in which it was given. */
export class FixedDirectory extends DerivedDirectory {
  #endpoints: readonly string[];

  constructor(endpoints: readonly string[]) {
    super([]);
    this.#endpoints = endpoints;
    this.begin();
  }

  replace(endpoints: readonly string[]): void {
    this.#endpoints = endpoints;
    this.rederive();
  }

  protected derive(): readonly Candidate[] {
    return this.#endpoints.map((endpoint) => ({ source: endpoint, endpoint }));
  }
}
