import type { ServerOptions } from '../../config/index.js';
import type { HealthDirectory } from '../../health/index.js';
import { translateEndpoints, type EndpointProvider } from '../../index.js';
import { FixedDirectory } from './fixed-directory.js';
import type { Coordinators, Opening } from './coordinators.js';
import { certificateRemedy } from './remedies.js';
import { tlsFiles } from './tls-files.js';
import { REST, TranslationReview } from './translation-review.js';

/**
 * Puts health checks and translation, in this order, between a list and its clients, where the options ask for them. Rules may
 * be added and replaced while the server runs.
 */
export async function throughGateway(source: Coordinators, opening: Opening): Promise<Coordinators> {
  const checked = opening.options.healthCheck === true ? await withHealthChecks(source, opening) : source;
  const { options, log } = opening;
  const review = new TranslationReview(options, log);
  source.directory?.on('change', (endpoints) => {
    review.listIs(endpoints);
  });
  let provider = translated(checked.provider, options);
  return {
    ...checked,
    opened: () => {
      review.begin(source.directory?.provider() ?? options.coordinators);
    },
    provider: (query) => provider(query),
    live: [...checked.live, 'cluster.translate', 'cluster.translate-unmatched'],
    replace: (next) => {
      const replacement = translated(checked.provider, next);
      checked.replace?.(next);
      provider = replacement;
      review.rulesAre(next, source.directory === undefined ? next.coordinators : undefined);
    },
  };
}

function translated(provider: EndpointProvider, options: ServerOptions): EndpointProvider {
  const { translations, translateUnmatched: unmatched } = options;
  if (translations.length === 0) return provider;
  // Wherever it was written, "*" takes the rest.
  const isRest = ([from]: readonly [string, string]): boolean => from === REST;
  const inOrder = [...translations.filter((rule) => !isRest(rule)), ...translations.filter(isRest)];
  return translateEndpoints(provider, Object.fromEntries(inOrder), unmatched === undefined ? {} : { unmatched });
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
  let allAreDown = false;
  const reviewAll = (): void => {
    const { endpoints } = health.status();
    const wereDown = allAreDown;
    if (endpoints.some(({ state }) => state === 'up')) allAreDown = false;
    else if (endpoints.length > 0 && endpoints.every(({ state }) => state === 'down')) allAreDown = true;
    if (allAreDown === wereDown) return;
    if (allAreDown) log('warn', 'all-down', 'no endpoint is healthy: all of them are listed');
    else log('info', 'all-down-over', 'an endpoint is healthy again: only those that are healthy are listed');
  };
  for (const { endpoint, state, lastError = 'no check has ended yet' } of health.status().endpoints) {
    if (state !== 'up') down(endpoint, lastError);
  }
  reviewAll();
  health.on('down', (endpoint, { message }) => {
    down(endpoint, message);
    reviewAll();
  });
  health.on('up', (endpoint) => {
    log('info', 'endpoint-up', `${endpoint} is up`, { endpoint });
    reviewAll();
  });
  // The last healthy one may have left the cluster. What is down is said first.
  health.on('change', () => {
    process.nextTick(reviewAll);
  });
}
