import { setImmediate as turn } from 'node:timers/promises';
import type { ServerOptions } from '../../config/index.js';
import type { HealthDirectory } from '../../health/index.js';
import { createTranslatedDirectory, type DirectoryRules, type EndpointDirectory } from '../../directory/index.js';
import { formatEndpoint } from '../../index.js';
import { orUnmatched, readRules, REST } from '../../listing/translation-rules.js';
import { inFewLines, type Log } from '../log.js';
import { isAllDown, type Coordinators, type ListSource, type Opening } from './coordinators.js';
import { certificateRemedy } from '../remedies.js';
import { tlsFiles } from './tls-files.js';
import { RuleReview } from './rule-review.js';
import type { Candidate } from '../../directory/choose-listed.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';

/**
 * Puts health checks and translation between a list and its clients, where the options ask for them. Rules may be added and replaced
 * while the server runs.
 */
export async function throughGateway(source: ListSource, opening: Opening): Promise<Coordinators> {
  const checked = opening.options.healthCheck === true ? await withHealthChecks(source, opening) : source;
  const { options, log } = opening;
  const translated = createTranslatedDirectory({ endpoints: checked.directory, rules: rulesOf(options) });
  const directory = new LeavingDirectory(translated);
  const review = new RuleReview(translated, options, log);
  let isReplacing = false;
  logAllDown(directory, log);
  return {
    ...checked,
    directory,
    provider: () => checked.untilListed?.()?.then(directory.provider) ?? directory.provider(),
    opened: async () => {
      // A registration has just changed the list, which follows by events.
      await turn();
      review.rulesAre();
      translated.on('entries', () => {
        if (!isReplacing) review.listIs();
      });
    },
    unusedRules: () => review.unused().length,
    live: [...checked.live, 'cluster.translate', 'cluster.translate-unmatched'],
    replace: async (next) => {
      const rules = rulesOf(next);
      checked.replace?.(next);
      isReplacing = true;
      translated.replaceRules(rules);
      await turn();
      isReplacing = false;
      review.rulesAre(next);
    },
    leave: async (own) => {
      directory.leave(own);
      await source.deregister?.();
    },
    close: async () => {
      await directory.close();
      await translated.close();
      await checked.close();
    },
  };
}

/** The rules of a translated directory, which stay in force until they are replaced. */
function rulesOf({ translations, translateUnmatched }: ServerOptions): DirectoryRules {
  if (translations.length === 0) return formatEndpoint;
  const addressOf = readRules('--cluster.translate', recordOf(translations));
  return (endpoint) => {
    const text = formatEndpoint(endpoint);
    return orUnmatched(addressOf(text), text, translateUnmatched);
  };
}

/** Wherever it was written, "*" takes the rest. */
function recordOf(translations: ServerOptions['translations']): Record<string, string> {
  const isRest = ([from]: readonly [string, string]): boolean => from === REST;
  return Object.fromEntries([...translations.filter((rule) => !isRest(rule)), ...translations.filter(isRest)]);
}

async function withHealthChecks(source: ListSource, opening: Opening): Promise<ListSource> {
  const { options } = opening;
  const { createHealthDirectory, listAge } = await import('../../health/index.js');
  const { healthCheckPath: path, healthCheckSeconds: seconds, healthCheckAllow: allow } = options;
  let health: HealthDirectory;
  try {
    health = await createHealthDirectory({
      endpoints: source.directory,
      signal: opening.stop,
      ...(path === undefined ? {} : { check: path === 'tcp' ? 'tcp' : { path } }),
      ...(seconds === undefined ? {} : { intervalMs: seconds * 1000 }),
      ...(allow.length === 0 ? {} : { allow }),
      ...tlsFiles({ 'cluster.health-check-cafile': options.healthCheckCafile }),
    });
  } catch (error) {
    await source.close();
    throw error;
  }
  logHealth(health, opening);
  return {
    ...source,
    directory: health,
    middleware: listAge(health),
    close: async () => {
      await health.close();
      await source.close();
    },
  };
}

function logHealth(health: HealthDirectory, { log, options }: Pick<Opening, 'log' | 'options'>): void {
  const [logDown, logUp] = [inFewLines(log, 'endpoints are down'), inFewLines(log, 'endpoints are up')];
  const down = (endpoint: string, reason: string): void => {
    const remedy = certificateRemedy(reason, 'cluster.health-check-cafile', options);
    logDown('warn', 'endpoint-down', `${endpoint} is down: ${reason}${remedy}`, { endpoint });
  };
  for (const { source, check } of health.status().entries) {
    if (check !== undefined && check.state !== 'up') down(source, check.reason ?? 'no check has ended yet');
  }
  health.on('down', (endpoint, { message }) => {
    down(endpoint, message);
  });
  health.on('up', (endpoint) => {
    logUp('info', 'endpoint-up', `${endpoint} is up`, { endpoint });
  });
}

/** Logs when no endpoint for clients is healthy, and when that is over. */
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
