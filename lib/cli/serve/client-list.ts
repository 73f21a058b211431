import type { RequestHandler } from 'express';
import { setImmediate as turn } from 'node:timers/promises';
import type { ServerOptions } from '../../config/index.js';
import type { Candidate } from '../../directory/entry-list.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';
import { createTranslatedDirectory, type EndpointDirectory, type TranslatedDirectory } from '../../directory/index.js';
import { translateEndpoints, type EndpointProvider } from '../../index.js';
import { REST } from '../../listing/translation-rules.js';
import type { Log } from '../log.js';
import { isAllDown, type ListSource, type Opening } from './coordinators.js';
import { RuleReview, type ListRules } from './rule-review.js';

/** Both listings as some clients get them: those of a horizon, or all others. */
export class ClientList {
  readonly horizon: string | undefined;
  readonly directory: LeavingDirectory;
  readonly log: Log;
  readonly handler: RequestHandler;
  readonly #translated: TranslatedDirectory;
  readonly #review: RuleReview;
  readonly #source: ListSource;
  readonly #bound: Opening['bound'];
  #serverListing: EndpointProvider;
  #isReplacing = false;

  constructor(horizon: string | undefined, source: ListSource, { options, bound, log, handlerFor }: Opening) {
    const rules = rulesOf(options, horizon);
    this.horizon = horizon;
    this.log = horizon === undefined ? log : inHorizon(horizon, log);
    this.#source = source;
    this.#bound = bound;
    this.#translated = createTranslatedDirectory({ endpoints: source.directory, ...translationBy(rules) });
    this.directory = new LeavingDirectory(this.#translated);
    this.#review = new RuleReview(this.#translated, options, rules, this.log);
    this.#serverListing = this.#serverListingBy(rules);
    this.handler = handlerFor(this);
    logAllDown(this.directory, this.log);
  }

  readonly provider: EndpointProvider = (query) => {
    if (query.listing === 'server') return this.#serverListing(query);
    const { provider } = this.directory;
    return this.#source.untilListed?.()?.then(provider) ?? provider();
  };

  /** The list is complete: reviews of it begin. */
  begin(): void {
    this.#review.rulesAre();
    this.#translated.on('entries', () => {
      if (!this.#isReplacing) this.#review.listIs();
    });
  }

  unusedRules(): number {
    return this.#review.unused().length;
  }

  async replace(options: ServerOptions): Promise<void> {
    const rules = rulesOf(options, this.horizon);
    this.#isReplacing = true;
    this.#serverListing = this.#serverListingBy(rules);
    const translation = translationBy(rules);
    this.#translated.replaceRules(translation.rules, translation.unmatched);
    await turn();
    this.#isReplacing = false;
    this.#review.rulesAre(options, rules);
  }

  /** Takes these endpoints, this server's own, off the list, whatever its source says. */
  leave(own: readonly string[]): void {
    this.directory.leave(own);
  }

  async close(): Promise<void> {
    await this.directory.close();
    await this.#translated.close();
  }

  /** What this server listens on is no endpoint of the cluster: only the rules of a horizon are about it, too. */
  #serverListingBy({ translations }: ListRules): EndpointProvider {
    if (this.horizon === undefined) return this.#bound;
    return translateEndpoints(this.#bound, recordOf(translations), { unmatched: 'keep' });
  }
}

function inHorizon(horizon: string, log: Log): Log {
  return (level, event, message, fields) => log(level, event, `horizon ${horizon}: ${message}`, { horizon, ...fields });
}

/** The rules of a horizon, or for all clients that are in none. */
function rulesOf(options: ServerOptions, horizon: string | undefined): ListRules {
  const { translations, translateUnmatched } = options;
  return (
    options.horizons.find(({ name }) => name === horizon) ?? {
      translations,
      ...(translateUnmatched && { translateUnmatched }),
    }
  );
}

/** Without a rule, clients get the list as it is. */
function translationBy({ translations, translateUnmatched = 'skip' }: ListRules) {
  return { rules: recordOf(translations), unmatched: translations.length === 0 ? 'keep' : translateUnmatched } as const;
}

/** Wherever it was written, "*" takes the rest. */
function recordOf(translations: ListRules['translations']): Record<string, string> {
  const isRest = ([from]: readonly [string, string]): boolean => from === REST;
  return Object.fromEntries([...translations.filter((rule) => !isRest(rule)), ...translations.filter(isRest)]);
}

/** Says when nothing that clients could get is healthy, and when that is over. */
function logAllDown(directory: EndpointDirectory, log: Log): void {
  let wereDown = false;
  const review = (): void => {
    const status = directory.status();
    const areDown = status.healthy === undefined ? wereDown : isAllDown(status);
    if (areDown === wereDown) return;
    wereDown = areDown;
    const { count } = status;
    if (areDown) log('warn', 'all-down', `no endpoint is healthy: serving all ${String(count)} until one recovers`);
    else log('info', 'all-down-over', 'an endpoint is healthy again: only those that are healthy are listed');
  };
  review();
  directory.on('entries', review);
}

/** A list that this server can leave, whatever its source still says. */
class LeavingDirectory extends DerivedDirectory {
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
