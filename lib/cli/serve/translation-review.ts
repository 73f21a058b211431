import type { ServerOptions } from '../../config/index.js';
import { createReachOf } from '../../endpoint/reach.js';
import { parseEndpoint } from '../../index.js';
import type { Log } from '../log.js';

/** A line with more of them is not read. */
const SHOWN = 20;

/** What takes every endpoint that no other rule names. */
export const REST = '*';

/**
 * Compares the rules of translation with the whole list, and logs what does not fit: rules that match nothing, endpoints that no rule
 * matches, and private addresses of an upstream that no rule translates.
 */
export class TranslationReview {
  readonly #log: Log;
  #options: ServerOptions;
  #list: readonly string[] = [];
  #unmatched: ReadonlySet<string> = new Set();
  #hasBegun = false;

  constructor(options: ServerOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  /** The list is complete: logs what does not fit now, and from now on what comes anew. */
  begin(list: readonly string[]): void {
    this.#hasBegun = true;
    this.#list = list;
    this.#logUnusedRules();
    this.#logUntranslated();
    this.#logUnmatched();
  }

  listIs(list: readonly string[]): void {
    if (!this.#hasBegun) return;
    this.#list = list;
    this.#logUnmatched();
  }

  /** SIGHUP has replaced the rules, and the list where it is a fixed one. */
  rulesAre(options: ServerOptions, list = this.#list): void {
    this.#options = options;
    this.#unmatched = new Set();
    this.begin(list);
  }

  #logUnusedRules(): void {
    const listed = new Set(this.#list);
    const rules = this.#named().filter((from) => from !== REST && !listed.has(from));
    this.#warn('rules-unused', 'rules of --cluster.translate that match no endpoint on the list', rules, 'rules');
  }

  /** Each endpoint once, as long as it stays. */
  #logUnmatched(): void {
    const named = new Set(this.#named());
    const isReviewed = named.size > 0 && !named.has(REST) && this.#options.translateUnmatched !== 'keep';
    const before = this.#unmatched;
    this.#unmatched = new Set(isReviewed ? this.#list.filter((endpoint) => !named.has(endpoint)) : []);
    const added = [...this.#unmatched].filter((endpoint) => !before.has(endpoint));
    this.#warn('endpoints-unmatched', 'not listed, as no rule of --cluster.translate matches', added);
  }

  /** Whoever says what happens to endpoints without a rule knows that there is none. */
  #logUntranslated(): void {
    const { upstreams, translations, translateUnmatched } = this.#options;
    if (upstreams.length === 0 || translations.length > 0 || translateUnmatched !== undefined) return;
    const reachOf = createReachOf();
    const inside = this.#list.filter((endpoint) =>
      ['private', 'loopback'].includes(String(reachOf(parseEndpoint(endpoint).host))),
    );
    this.#warn('list-untranslated', 'without --cluster.translate, clients get private addresses', inside);
  }

  #named(): string[] {
    return this.#options.translations.map(([from]) => from);
  }

  #warn(event: string, message: string, about: readonly string[], field = 'endpoints'): void {
    if (about.length === 0) return;
    const more = about.length > SHOWN ? ` and ${String(about.length - SHOWN)} more` : '';
    this.#log('warn', event, `${message}: ${about.slice(0, SHOWN).join(', ')}${more}`, { [field]: about });
  }
}
