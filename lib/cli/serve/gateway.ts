import { setImmediate as turn } from 'node:timers/promises';
import { SERVER_OPTIONS, type ServerOptionName, type ServerOptions } from '../../config/index.js';
import { inRanges } from '../../endpoint/address-range.js';
import type { HealthDirectory } from '../../health/index.js';
import { inFewLines } from '../log.js';
import { ClientList } from './client-list.js';
import type { Coordinators, ListSource, Opening } from './coordinators.js';
import { createHorizonChoice, type ServedEndpoints } from './horizon-choice.js';
import { certificateRemedy } from '../remedies.js';
import { tlsFiles } from './tls-files.js';

/** The fields that SIGHUP replaces, whatever the source of the list. */
const OF_GATEWAY: readonly unknown[] = ['translations', 'translateUnmatched', 'horizons', 'trustedProxies'];
const LIVE = SERVER_OPTIONS.filter(({ field }) => OF_GATEWAY.includes(field)).map(
  ({ name }) => name as ServerOptionName,
);

/** The lists by their horizons, that of all other clients first, and who gets which. */
interface Audience extends Pick<Coordinators, 'listFor' | 'isTrusted'> {
  readonly lists: ReadonlyMap<string | undefined, ClientList>;
}

/**
 * Puts health checks and translation between a list and its clients, where the options ask for them. Rules and horizons may be added and
 * replaced while the server runs; each horizon translates the same checked list.
 */
export async function throughGateway(source: ListSource, opening: Opening): Promise<Coordinators> {
  const checked = opening.options.healthCheck === true ? await withHealthChecks(source, opening) : source;
  let audience = audienceOf(opening.options, checked, opening);
  const lists = (): readonly ClientList[] => [...audience.lists.values()];
  return {
    ...checked,
    lists,
    listFor: (req) => audience.listFor(req),
    isTrusted: (address) => audience.isTrusted(address),
    opened: async () => {
      // A registration has just changed the list, which follows by events.
      await turn();
      refuseUnserved(opening.options, opening.served());
      for (const list of lists()) list.begin();
    },
    live: [...checked.live, ...LIVE],
    replace: async (next) => {
      refuseUnserved(next, opening.served());
      checked.replace?.(next);
      const before = audience.lists;
      audience = audienceOf(next, checked, opening, before);
      const isKept = (list: ClientList): boolean => before.get(list.horizon) === list;
      await Promise.all(lists().map((list) => (isKept(list) ? list.replace(next) : turn())));
      for (const list of lists()) if (!isKept(list)) list.begin();
      await Promise.all([...before.values()].filter((list) => !lists().includes(list)).map((list) => list.close()));
    },
    leave: async (own) => {
      for (const list of lists()) list.leave(own);
      await source.deregister?.();
    },
    close: async () => {
      await Promise.all(lists().map((list) => list.close()));
      await checked.close();
    },
  };
}

/** @param before - Lists of horizons with the same names stay, with other rules. */
function audienceOf(
  options: ServerOptions,
  source: ListSource,
  opening: Opening,
  before: Audience['lists'] = new Map(),
): Audience {
  const listOf = (horizon?: string): ClientList =>
    before.get(horizon) ?? new ClientList(horizon, source, { ...opening, options });
  const others = listOf();
  const horizons = options.horizons.map((horizon) => [horizon, listOf(horizon.name)] as const);
  return {
    lists: new Map([[undefined, others], ...horizons.map(([{ name }, list]) => [name, list] as const)]),
    listFor: createHorizonChoice(horizons, others, opening.served),
    isTrusted: inRanges(options.trustedProxies),
  };
}

/** @throws Error for a horizon of an endpoint that no server of this process has. */
function refuseUnserved({ horizons }: ServerOptions, served: ServedEndpoints): void {
  const known = [...served.values()];
  for (const { name, endpoints } of horizons) {
    const [other] = endpoints.filter((endpoint) => !known.includes(endpoint));
    if (other === undefined) continue;
    throw new Error(
      `horizon.${name}.endpoint: ${other} needs a restart, or is another of server.endpoint by another name`,
    );
  }
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
  health.on('down', (endpoint, { message }) => down(endpoint, message));
  health.on('up', (endpoint) => logUp('info', 'endpoint-up', `${endpoint} is up`, { endpoint }));
}
