import type { RequestHandler } from 'express';
import { setImmediate as turn } from 'node:timers/promises';
import type { ServerOptions } from '../../config/index.js';
import type { Candidate } from '../../directory/choose-listed.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';
import {
  createTranslatedDirectory,
  type DirectoryRules,
  type EndpointDirectory,
  type TranslatedDirectory,
} from '../../directory/index.js';
import { formatEndpoint, translateEndpoints, type EndpointProvider } from '../../index.js';
import { orUnmatched, readRules, REST } from '../../listing/translation-rules.js';
import type { Log } from '../log.js';
import { isAllDown, type ListSource, type Opening } from './coordinators.js';
import { RuleReview, rulesOf, type Rules } from './rule-review.js';

/** Both listings as some clients get them: those of a horizon, or all others. */
export class ClientList {
  readonly horizon: string | undefined;
  readonly directory: EndpointDirectory;
  readonly log: Log;
  readonly handler: RequestHandler;
  readonly #directory: LeavingDirectory;
  readonly #translated: TranslatedDirectory;
  readonly #review: RuleReview;
  readonly #source: ListSource;
  readonly #bound: Opening['bound'];
  /** The server listing. */
  #own: EndpointProvider;
  #isReplacing = false;

  constructor(horizon: string | undefined, source: ListSource, { options, bound, log, handlerFor }: Opening) {
    const rules = rulesOf(options, horizon);
    this.horizon = horizon;
    this.log = horizon === undefined ? log : inHorizon(horizon, log);
    this.#source = source;
    this.#bound = bound;
    this.#translated = createTranslatedDirectory({ endpoints: source.directory, rules: directoryRules(rules) });
    this.directory = this.#directory = new LeavingDirectory(this.#translated);
    this.#review = new RuleReview(this.#translated, options, this.log, horizon);
    this.#own = this.#ownBy(rules);
    this.handler = handlerFor(this);
    logAllDown(this.directory, this.log);
  }

  readonly provider: EndpointProvider = (query) => {
    if (query.listing === 'server') return this.#own(query);
    const { provider } = this.#directory;
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
    this.#own = this.#ownBy(rules);
    this.#translated.replaceRules(directoryRules(rules));
    await turn();
    this.#isReplacing = false;
    this.#review.rulesAre(options);
  }

  /** Takes these endpoints, this server's own, off the list, whatever its source says. */
  leave(own: readonly string[]): void {
    this.#directory.leave(own);
  }

  async close(): Promise<void> {
    await this.#directory.close();
    await this.#translated.close();
  }

  /** What this server listens on is no endpoint of the cluster: only the rules of a horizon are about it, too. */
  #ownBy({ translations }: Rules): EndpointProvider {
    if (this.horizon === undefined) return this.#bound;
    return translateEndpoints(this.#bound, recordOf(translations), { unmatched: 'keep' });
  }
}

function inHorizon(horizon: string, log: Log): Log {
  return (level, event, message, fields) => log(level, event, `horizon ${horizon}: ${message}`, { horizon, ...fields });
}

/** The rules of a translated directory, which stay in force until they are replaced. */
function directoryRules({ translations, translateUnmatched }: Rules): DirectoryRules {
  if (translations.length === 0) return formatEndpoint;
  const addressOf = readRules('rules of translation', recordOf(translations));
  return (endpoint) => {
    const text = formatEndpoint(endpoint);
    return orUnmatched(addressOf(text), text, translateUnmatched);
  };
}

/** Wherever it was written, "*" takes the rest. */
function recordOf(translations: Rules['translations']): Record<string, string> {
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
