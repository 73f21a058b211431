import type { ServerOptions } from '../../config/index.js';
import type { HealthDirectory } from '../../health/index.js';
import { createTranslatedDirectory, type DirectoryRules, type EndpointDirectory } from '../../directory/index.js';
import { formatEndpoint, translateEndpoints, type EndpointProvider } from '../../index.js';
import { readRules } from '../../listing/translation-rules.js';
import type { Log } from '../log.js';
import { FixedDirectory } from './fixed-directory.js';
import type { Coordinators, Opening } from './coordinators.js';
import { certificateRemedy } from './remedies.js';
import { tlsFiles } from './tls-files.js';
import { REST, TranslationReview } from './translation-review.js';

/**
 * Puts health checks and translation between a list and its clients, where the options ask for them. Rules may be added and replaced
 * while the server runs.
 */
export async function throughGateway(source: Coordinators, opening: Opening): Promise<Coordinators> {
  const checked = opening.options.healthCheck === true ? await withHealthChecks(source, opening) : source;
  const { options, log } = opening;
  const review = new TranslationReview(options, log);
  source.directory?.on('change', (endpoints) => {
    review.listIs(endpoints);
  });
  const { directory: endpoints } = checked;
  const directory = endpoints && createTranslatedDirectory({ endpoints, rules: rulesOf(options) });
  if (directory !== undefined) logAllDown(directory, log);
  let provider = directory?.provider ?? translated(checked.provider, options);
  return {
    ...checked,
    ...(directory !== undefined && { directory }),
    opened: () => {
      review.begin(source.directory?.provider() ?? options.coordinators);
    },
    provider: (query) => provider(query),
    live: [...checked.live, 'cluster.translate', 'cluster.translate-unmatched'],
    replace: (next) => {
      const rules = rulesOf(next);
      const replacement = directory?.provider ?? translated(checked.provider, next);
      checked.replace?.(next);
      directory?.replaceRules(rules);
      provider = replacement;
      review.rulesAre(next, source.directory === undefined ? next.coordinators : undefined);
    },
    close: async () => {
      await directory?.close();
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
    return addressOf(text) ?? (translateUnmatched === 'keep' ? text : undefined);
  };
}

/** Wherever it was written, "*" takes the rest. */
function recordOf(translations: ServerOptions['translations']): Record<string, string> {
  const isRest = ([from]: readonly [string, string]): boolean => from === REST;
  return Object.fromEntries([...translations.filter((rule) => !isRest(rule)), ...translations.filter(isRest)]);
}

function translated(provider: EndpointProvider, options: ServerOptions): EndpointProvider {
  const { translations, translateUnmatched: unmatched } = options;
  if (translations.length === 0) return provider;
  return translateEndpoints(provider, recordOf(translations), unmatched === undefined ? {} : { unmatched });
}

async function withHealthChecks(source: Coordinators, opening: Opening): Promise<Coordinators> {
  const { options } = opening;
  const { createHealthDirectory, listAge } = await import('../../health/index.js');
  const { healthCheckPath: path, healthCheckSeconds: seconds, healthCheckAllow: allow } = options;
  const { directory = new FixedDirectory(options.coordinators) } = source;
  const fixed = directory instanceof FixedDirectory ? directory : undefined;
  let health: HealthDirectory;
  try {
    health = await createHealthDirectory({
      endpoints: directory,
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
    provider: health.provider,
    directory: health,
    middleware: listAge(health),
    replace: (next) => {
      source.replace?.(next);
      fixed?.replace(next.coordinators);
    },
    close: async () => {
      await health.close();
      await fixed?.close();
      await source.close();
    },
  };
}

function logHealth(health: HealthDirectory, { log, options }: Pick<Opening, 'log' | 'options'>): void {
  const down = (endpoint: string, reason: string): void => {
    const remedy = certificateRemedy(reason, 'cluster.health-check-cafile', options);
    log('warn', 'endpoint-down', `${endpoint} is down: ${reason}${remedy}`, { endpoint });
  };
  for (const { source, check } of health.status().entries) {
    if (check !== undefined && check.state !== 'up') down(source, check.reason ?? 'no check has ended yet');
  }
  health.on('down', (endpoint, { message }) => {
    down(endpoint, message);
  });
  health.on('up', (endpoint) => {
    log('info', 'endpoint-up', `${endpoint} is up`, { endpoint });
  });
}

/** Says when nothing that clients could get is healthy, and when that is over. */
function logAllDown(directory: EndpointDirectory, log: Log): void {
  let wereDown = false;
  const review = (): void => {
    const { healthy } = directory.status();
    const areDown = healthy === undefined ? wereDown : healthy === 0;
    if (areDown === wereDown) return;
    wereDown = areDown;
    if (areDown) log('warn', 'all-down', 'no endpoint is healthy: all of them are listed');
    else log('info', 'all-down-over', 'an endpoint is healthy again: only those that are healthy are listed');
  };
  review();
  directory.on('entries', review);
}
