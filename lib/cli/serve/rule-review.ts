import type { Horizon, ServerOptions } from '../../config/index.js';
import type { DirectoryEntry, EndpointDirectory } from '../../directory/index.js';
import { NO_RULE } from '../../directory/translated-directory.js';
import { createReachOf } from '../../endpoint/address-range.js';
import { parseEndpoint } from '../../index.js';
import { REST } from '../../listing/translation-rules.js';
import { firstOf } from '../../text/shown.js';
import { firstFields, type Log } from '../log.js';

/** The rules of a horizon, or for all clients that are in none. */
export type ListRules = Pick<ServerOptions, 'translations' | 'translateUnmatched'> & Partial<Horizon>;

/**
 * Logs what does not match: translation rules without an entry, entries without a rule, and private addresses of an upstream that no rule
 * translates.
 */
export class RuleReview {
  readonly #directory: Pick<EndpointDirectory, 'status'>;
  readonly #log: Log;
  #options: ServerOptions;
  #rules: ListRules;
  #unmatched: ReadonlySet<string> = new Set();

  constructor(directory: Pick<EndpointDirectory, 'status'>, options: ServerOptions, rules: ListRules, log: Log) {
    this.#directory = directory;
    this.#options = options;
    this.#rules = rules;
    this.#log = log;
  }

  /** Logs everything that does not match under these rules. */
  rulesAre(options = this.#options, rules = this.#rules): void {
    this.#options = options;
    this.#rules = rules;
    this.#unmatched = new Set();
    this.#warn('rules-unused', `rules of ${this.#option()} that match no endpoint on the list`, this.unused(), 'rules');
    this.#warn('list-untranslated', `without ${this.#option()}, clients get private addresses`, this.#untranslated());
    this.#warn('horizon-by-host', 'any client that asks for its host gets these addresses untranslated', this.#open());
    this.listIs();
  }

  /** Logs each entry that no rule matches once, as long as it stays. */
  listIs(): void {
    const before = this.#unmatched;
    this.#unmatched = new Set(this.#entries().flatMap(({ source, reason }) => (reason === NO_RULE ? source : [])));
    const added = [...this.#unmatched].filter((endpoint) => !before.has(endpoint));
    this.#warn('endpoints-unmatched', `not listed, as no rule of ${this.#option()} matches`, added);
  }

  /** The endpoints of rules that name nothing on the list. */
  unused(): string[] {
    const listed = new Set(this.#entries().map(({ source }) => source));
    // In a horizon, what this server listens on is translated, too.
    const own = this.#rules.name === undefined ? [] : this.#options.endpoints;
    for (const endpoint of own) listed.add(endpoint);
    return this.#rules.translations.map(([from]) => from).filter((from) => from !== REST && !listed.has(from));
  }

  /** Silent if an option says what happens to endpoints without a rule. */
  #untranslated(): string[] {
    const { upstreams } = this.#options;
    const { translations, translateUnmatched } = this.#rules;
    if (upstreams.length === 0 || translations.length > 0 || translateUnmatched !== undefined) return [];
    const reachOf = createReachOf();
    return this.#entries()
      .flatMap(({ endpoint }) => endpoint ?? [])
      .filter((endpoint) => ['private', 'loopback'].includes(String(reachOf(parseEndpoint(endpoint).host))));
  }

  /** What a horizon shows as it is, whose clients are known by nothing but the `Host` that they choose. */
  #open(): string[] {
    const { hosts = [], networks = [], endpoints = [] } = this.#rules;
    if (hosts.length === 0 || networks.length > 0 || endpoints.length > 0) return [];
    return this.#entries().flatMap(({ source, endpoint }) => (endpoint === source ? source : []));
  }

  #option(): string {
    const { name } = this.#rules;
    return name === undefined ? '--cluster.translate' : `--horizon.${name}.translate`;
  }

  #entries(): readonly DirectoryEntry[] {
    return this.#directory.status().entries;
  }

  #warn(event: string, message: string, about: readonly string[], field = 'endpoints'): void {
    if (about.length === 0) return;
    this.#log('warn', event, `${message}: ${firstOf(about, ', ')}`, firstFields(field, about));
  }
}
