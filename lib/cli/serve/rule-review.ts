import type { ServerOptions } from '../../config/index.js';
import type { DirectoryEntry, EndpointDirectory } from '../../directory/index.js';
import { NO_RULE } from '../../directory/translated-directory.js';
import { createReachOf } from '../../endpoint/host.js';
import { parseEndpoint } from '../../index.js';
import { REST } from '../../listing/translation-rules.js';
import { firstOf } from '../../text/shown.js';
import { firstFields, type Log } from '../log.js';

/**
 * Logs what does not match: translation rules without an entry, entries without a rule, and private addresses of an upstream that no rule
 * translates.
 */
export class RuleReview {
  readonly #directory: Pick<EndpointDirectory, 'status'>;
  readonly #log: Log;
  #options: ServerOptions;
  #unmatched: ReadonlySet<string> = new Set();

  constructor(directory: Pick<EndpointDirectory, 'status'>, options: ServerOptions, log: Log) {
    this.#directory = directory;
    this.#options = options;
    this.#log = log;
  }

  /** Logs everything that does not match under the rules of these options. */
  rulesAre(options = this.#options): void {
    this.#options = options;
    this.#unmatched = new Set();
    this.#warn(
      'rules-unused',
      'rules of --cluster.translate that match no endpoint on the list',
      this.unused(),
      'rules',
    );
    this.#warn('list-untranslated', 'without --cluster.translate, clients get private addresses', this.#untranslated());
    this.listIs();
  }

  /** Logs each entry that no rule matches once, as long as it stays. */
  listIs(): void {
    const before = this.#unmatched;
    this.#unmatched = new Set(this.#entries().flatMap(({ source, reason }) => (reason === NO_RULE ? source : [])));
    const added = [...this.#unmatched].filter((endpoint) => !before.has(endpoint));
    this.#warn('endpoints-unmatched', 'not listed, as no rule of --cluster.translate matches', added);
  }

  /** The endpoints of rules that name nothing on the list. */
  unused(): string[] {
    const listed = new Set(this.#entries().map(({ source }) => source));
    return this.#options.translations.map(([from]) => from).filter((from) => from !== REST && !listed.has(from));
  }

  /** Silent if an option says what happens to endpoints without a rule. */
  #untranslated(): string[] {
    const { upstreams, translations, translateUnmatched } = this.#options;
    if (upstreams.length === 0 || translations.length > 0 || translateUnmatched !== undefined) return [];
    const reachOf = createReachOf();
    return this.#entries()
      .flatMap(({ endpoint }) => endpoint ?? [])
      .filter((endpoint) => ['private', 'loopback'].includes(String(reachOf(parseEndpoint(endpoint).host))));
  }

  #entries(): readonly DirectoryEntry[] {
    return this.#directory.status().entries;
  }

  #warn(event: string, message: string, about: readonly string[], field = 'endpoints'): void {
    if (about.length === 0) return;
    this.#log('warn', event, `${message}: ${firstOf(about, ', ')}`, firstFields(field, about));
  }
}
