import { coverRange } from '../endpoint/address-range.js';
import { shown } from '../text/shown.js';
import type { Place } from './config-error.js';
import type { ChosenValues, GivenValue, Reading } from './given-value.js';
import type { Horizon, ServerOptions } from './server-options.js';

/** The part of an option's name, and the field, of each kind of condition. */
const CONDITIONS = [
  ['network', 'networks'],
  ['host', 'hosts'],
  ['endpoint', 'endpoints'],
] as const;
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

type Conditions = Pick<Horizon, 'networks' | 'hosts' | 'endpoints'>;

/** Where each horizon is given first. What replaces a value elsewhere comes last, so that it changes no order. */
export function horizonPlaces(sources: readonly (readonly GivenValue[])[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const { name, place } of [...sources].reverse().flat()) {
    const [, horizon] = /^horizon\.([^.]+)/.exec(name) ?? [];
    if (horizon !== undefined && !places.has(horizon)) places.set(horizon, place);
  }
  return places;
}

/** Horizons from the values in force. */
export function horizonsNamed(names: Iterable<string>, chosen: ChosenValues): readonly Horizon[] {
  return Array.from(names, (name) => {
    const valuesOf = (part: string): readonly never[] =>
      Object.freeze((chosen.get(`horizon.${name}.${part}`) ?? []).map(({ value }) => value as never));
    const [translateUnmatched] = valuesOf('translate-unmatched') as readonly Horizon['translateUnmatched'][];
    return Object.freeze({
      name,
      networks: valuesOf('network'),
      hosts: valuesOf('host'),
      endpoints: valuesOf('endpoint'),
      translations: valuesOf('translate'),
      ...(translateUnmatched !== undefined && { translateUnmatched }),
    });
  });
}

/** Refuses a horizon without a condition, and each condition that no client can meet. */
export function checkHorizons(
  { endpoints: served, horizons }: Pick<ServerOptions, 'endpoints' | 'horizons'>,
  places: ReadonlyMap<string, Place>,
  chosen: ChosenValues,
  report: Reading['report'],
): void {
  for (const [name, place] of places) {
    if (CONDITIONS.every(([part]) => !chosen.has(`horizon.${name}.${part}`)))
      report(place, `horizon.${name} has no condition: give it a network, a host or an endpoint`);
  }
  horizons.forEach((horizon, index) => {
    const { name } = horizon;
    for (const [part, field] of CONDITIONS) {
      for (const { value, place } of chosen.get(`horizon.${name}.${part}`) ?? []) {
        const condition = { ...horizon, [field]: [value] };
        const why = whyUnreachable(condition, horizons.slice(0, index), served);
        if (why !== undefined)
          report(place, `no client can be in horizon.${name} by its ${part} ${shown(value)}: ${why}`);
      }
    }
  });
}

function whyUnreachable(
  horizon: Conditions,
  before: readonly Horizon[],
  served: readonly string[],
): string | undefined {
  const other = horizon.endpoints.find((endpoint) => !served.includes(endpoint));
  if (other !== undefined) return 'it is none of server.endpoint';
  if (!isReachable(horizon, [], served)) return 'a socket file has no addresses';
  if (isReachable(horizon, before, served)) return undefined;
  const one = before.find((earlier) => !isReachable(horizon, [earlier], served));
  return `they are all in ${one === undefined ? 'earlier horizons' : `horizon.${one.name} already`}`;
}

/** Whether a client can meet conditions without meeting those of an earlier horizon. */
function isReachable(horizon: Conditions, before: readonly Conditions[], served: readonly string[]): boolean {
  const endpoints = horizon.endpoints.length > 0 ? horizon.endpoints : served;
  // Without a name, one that nobody has thought of.
  const hosts = horizon.hosts.length > 0 ? horizon.hosts : [''];
  const networks = horizon.networks.length > 0 ? horizon.networks : EVERYWHERE;
  const allows = (values: readonly string[], value: string): boolean => values.length === 0 || values.includes(value);
  return endpoints.some((endpoint) =>
    hosts.some((host) => {
      const rivals = before.filter((other) => allows(other.endpoints, endpoint) && allows(other.hosts, host));
      if (endpoint.startsWith('unix:')) {
        return horizon.networks.length === 0 && rivals.every((rival) => rival.networks.length > 0);
      }
      const taken = rivals.flatMap((rival) => (rival.networks.length > 0 ? rival.networks : EVERYWHERE));
      return networks.some((network) => !coverRange(taken, network));
    }),
  );
}
