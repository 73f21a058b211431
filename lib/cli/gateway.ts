import type { ServerOptions } from '../config/index.js';
import type { HealthDirectory } from '../health/index.js';
import { translateEndpoints, type EndpointProvider } from '../index.js';
import { FixedDirectory } from './fixed-directory.js';
import { tlsFiles, type Coordinators, type Opening } from './coordinators.js';

/**
 * Puts health checks and translation, in this order, between a list and its clients, where the options ask for them. Rules may
 * be added and replaced while the server runs.
 */
export async function throughGateway(source: Coordinators, opening: Opening): Promise<Coordinators> {
  const checked = opening.options.healthCheck === true ? await withHealthChecks(source, opening) : source;
  let provider = translated(checked.provider, opening.options);
  return {
    ...checked,
    provider: (query) => provider(query),
    live: [...checked.live, 'cluster.translate', 'cluster.translate-unmatched'],
    replace: (next) => {
      const replacement = translated(checked.provider, next);
      checked.replace?.(next);
      provider = replacement;
    },
  };
}

function translated(provider: EndpointProvider, options: ServerOptions): EndpointProvider {
  const { translations, translateUnmatched: unmatched } = options;
  if (translations.length === 0) return provider;
  const rules = translations.map((rule): [string, string] => {
    const middle = rule.lastIndexOf('=');
    return [rule.slice(0, middle), rule.slice(middle + 1)];
  });
  // Wherever it was written, "*" takes the rest.
  const isRest = ([from]: [string, string]): boolean => from === '*';
  const inOrder = [...rules.filter((rule) => !isRest(rule)), ...rules.filter(isRest)];
  return translateEndpoints(provider, Object.fromEntries(inOrder), unmatched === undefined ? {} : { unmatched });
}

async function withHealthChecks(source: Coordinators, opening: Opening): Promise<Coordinators> {
  const { options } = opening;
  const { createHealthDirectory, listAge } = await import('../health/index.js');
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

function logHealth(health: HealthDirectory, { log }: Pick<Opening, 'log'>): void {
  const down = (endpoint: string, reason: string): void => {
    log('warn', 'endpoint-down', `${endpoint} is down: ${reason}`, { endpoint });
  };
  for (const { endpoint, state, lastError = 'no check has ended yet' } of health.status().endpoints) {
    if (state !== 'up') down(endpoint, lastError);
  }
  health.on('down', (endpoint, { message }) => {
    down(endpoint, message);
  });
  health.on('up', (endpoint) => {
    log('info', 'endpoint-up', `${endpoint} is up`, { endpoint });
  });
}
