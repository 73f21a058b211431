import type { HealthDirectory } from '../../health/index.js';
import { inFewLines } from '../log.js';
import { certificateRemedy } from '../remedies.js';
import type { ListSource, Opening } from './coordinators.js';
import { tlsFiles } from './tls-files.js';

/** The same list, without the endpoints that fail their health checks. */
export async function withHealthChecks(source: ListSource, opening: Opening): Promise<ListSource> {
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
  health.on('down', (endpoint, { message }) => down(endpoint, message));
  health.on('up', (endpoint) => logUp('info', 'endpoint-up', `${endpoint} is up`, { endpoint }));
}
