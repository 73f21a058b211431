import type { Endpoint } from '../endpoint/endpoint.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import { parseEndpoint } from '../endpoint/parse.js';
import { orUnmatched, readRules, UNMATCHED } from '../listing/translation-rules.js';
import { ignoreRejection } from '../options/promises.js';
import { readOptions, type OptionRule } from '../options/read-options.js';
import { reasonOf } from '../text/reason.js';
import { shown } from '../text/shown.js';
import type { Candidate } from './entry-list.js';
import { DerivedDirectory, type EntrySource } from './derived-directory.js';
import type { EndpointDirectory } from './directory.js';
import { entrySource } from './options.js';

/**
 * Which address each endpoint gets: a record from endpoint to endpoint, in any spelling, whose last key may be `*` for all that no other
 * key names; or a function, which gets each endpoint taken apart, and returns the address, or `undefined` where it has none.
 */
export type DirectoryRules = Readonly<Record<string, string>> | ((endpoint: Endpoint) => string | undefined);

/** Options of `createTranslatedDirectory`; none may be `undefined`. */
export interface TranslatedDirectoryOptions {
  /** A fixed list of Coordinators, or a directory, whose changes and states pass through. Closing the one leaves the other open. */
  readonly endpoints: readonly string[] | EndpointDirectory;
  readonly rules: DirectoryRules;
  /**
   * What becomes of an endpoint that no rule names: `skip`, as clients hang when they try an address that they cannot reach, or
   * `keep`.
   * @defaultValue `'skip'`
   */
  readonly unmatched?: 'skip' | 'keep';
}

/** A list with the addresses that clients can reach. */
export interface TranslatedDirectory extends EndpointDirectory {
  /**
   * Replaces the rules, all or nothing; there is a `change` if another list follows from them.
   *
   * @param unmatched - What becomes of an endpoint that none of them names. Default: the same as before.
   * @throws `TypeError` for a record with mistakes, naming all of them; the old rules stay in force.
   */
  replaceRules(rules: DirectoryRules, unmatched?: 'skip' | 'keep'): void;
}

const CALLER = 'createTranslatedDirectory';
const RULES: OptionRule<DirectoryRules> = {
  allowed: 'a plain object from endpoint to endpoint, or a function',
  read: (value) => (typeof value === 'object' || typeof value === 'function' ? (value as DirectoryRules) : undefined),
};
const OPTIONS = { endpoints: entrySource, rules: RULES, unmatched: UNMATCHED };

/**
 * Creates a directory that lists the endpoints of another one, or of a fixed list, under the addresses that clients can reach.
 *
 * It translates when the list changes, not on each request. Health checks may come before or after it: they check each source, and the
 * list is the same. Several may share one directory.
 *
 * @example
 * ```ts
 * import { createTranslatedDirectory } from 'express-endpoint-listing/directory';
 *
 * const rules = { 'tcp://10.0.0.11:8529': 'ssl://db1.example:443' };
 * const directory = createTranslatedDirectory({ endpoints: ['tcp://10.0.0.11:8529'], rules });
 * ```
 * @throws `TypeError` for invalid options, and for a record with mistakes, naming all of them.
 */
export function createTranslatedDirectory(options: TranslatedDirectoryOptions): TranslatedDirectory {
  const { endpoints, rules, unmatched } = readOptions(CALLER, options, OPTIONS);
  return new Translated(endpoints, rules, unmatched);
}

/** Why an endpoint is skipped that no rule names. */
export const NO_RULE = 'no rule names it';

type Translation = Pick<Candidate, 'endpoint' | 'reason'>;

class Translated extends DerivedDirectory implements TranslatedDirectory {
  #unmatched: 'skip' | 'keep';
  #addressOf: (endpoint: string) => string | undefined;
  /** What became of each endpoint that is there. */
  #translations = new Map<string, Translation>();
  /** Why which are skipped, as far as it has been announced. */
  #refused: ReadonlyMap<string, string> = new Map();

  constructor(source: EntrySource, rules: DirectoryRules, unmatched: 'skip' | 'keep') {
    super(source);
    this.#unmatched = unmatched;
    this.#addressOf = addressesOf(rules);
    this.begin();
  }

  replaceRules(rules: DirectoryRules, unmatched = this.#unmatched): void {
    const read = readOptions(CALLER, { unmatched }, { unmatched: UNMATCHED });
    this.#addressOf = addressesOf(rules);
    this.#unmatched = read.unmatched;
    this.#translations.clear();
    this.rederive();
  }

  protected override expect(_source: string, endpoint: string): void {
    this.#translationOf(endpoint);
  }

  protected derive(entries: readonly Candidate[]): readonly Candidate[] {
    const translations = new Map<string, Translation>();
    const refused = new Map<string, string>();
    const refusals: Error[] = [];
    for (const { source, endpoint } of entries) {
      if (endpoint === undefined) continue;
      const translation = this.#translationOf(endpoint);
      translations.set(endpoint, translation);
      const { reason } = translation;
      if (reason === undefined) continue;
      refused.set(endpoint, reason);
      if (this.#refused.get(endpoint) !== reason) refusals.push(new Error(`${shown(source)} is skipped: ${reason}`));
    }
    this.#translations = translations;
    this.#refused = refused;
    if (refusals.length > 0) this.announce('skipped', refusals);
    return this.each(entries, (entry) => {
      const { endpoint } = entry;
      return endpoint === undefined ? entry : new TranslatedCandidate(entry, this.#translationOf(endpoint));
    });
  }

  #translationOf(endpoint: string): Translation {
    const translation = this.#translations.get(endpoint) ?? this.#translate(endpoint);
    this.#translations.set(endpoint, translation);
    return translation;
  }

  #translate(endpoint: string): Translation {
    try {
      const address = orUnmatched(this.#addressOf(endpoint), endpoint, this.#unmatched);
      return address === undefined ? { reason: NO_RULE } : { endpoint: address };
    } catch (error) {
      return { reason: `its rule fails: ${String(reasonOf(error))}` };
    }
  }
}

class TranslatedCandidate implements Candidate {
  readonly source: string;
  readonly endpoint: string | undefined;
  readonly reason: string | undefined;
  readonly #before: Candidate;

  constructor(before: Candidate, { endpoint, reason }: Translation) {
    this.source = before.source;
    this.endpoint = endpoint;
    this.reason = reason;
    this.#before = before;
  }

  get check(): Candidate['check'] {
    return this.#before.check;
  }
}

/** Gives addresses in their canonical form. @throws `TypeError` for a record with mistakes. */
function addressesOf(rules: DirectoryRules): (endpoint: string) => string | undefined {
  if (typeof rules !== 'function') return readRules(CALLER, rules);
  return (endpoint) => {
    const address: unknown = rules(parseEndpoint(endpoint));
    ignoreRejection(address);
    return address === undefined ? undefined : coordinatorEndpoint(address as string);
  };
}
