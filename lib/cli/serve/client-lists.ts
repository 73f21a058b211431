import { setImmediate as turn } from 'node:timers/promises';
import { SERVER_OPTIONS, type ServerOptionName, type ServerOptions } from '../../config/index.js';
import { inRanges } from '../../endpoint/address-range.js';
import { ClientList } from './client-list.js';
import type { Coordinators, ListSource, Opening } from './coordinators.js';
import { withHealthChecks } from './health-checks.js';
import { createHorizonChoice, type ServedEndpoints } from './horizon-choice.js';

/** The fields that SIGHUP replaces, whatever the source of the list. */
const OF_RULES: readonly unknown[] = ['translations', 'translateUnmatched', 'horizons', 'trustedProxies'];
const LIVE = SERVER_OPTIONS.filter(({ field }) => OF_RULES.includes(field)).map(({ name }) => name as ServerOptionName);

/** The lists by their horizons, that of all other clients first, and who gets which. */
interface Audience extends Pick<Coordinators, 'listFor' | 'isTrusted'> {
  readonly lists: ReadonlyMap<string | undefined, ClientList>;
}

/**
 * Makes of the list of a source those that clients get: with health checks, where the options ask for them, and then translated for each
 * horizon. Rules and horizons may be added and replaced while the server runs.
 */
export async function createClientLists(source: ListSource, opening: Opening): Promise<Coordinators> {
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
