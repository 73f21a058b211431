import { setImmediate as turn } from 'node:timers/promises';
import type { ServerOptions } from '../../config/index.js';
import { coordinatorEndpoint } from '../../endpoint/listable.js';
import { firstOf } from '../../text/shown.js';
import { ownAddress, type ListSource, type Opening } from './coordinators.js';
import type { Candidate } from '../../directory/entry-list.js';
import { DerivedDirectory } from '../../directory/derived-directory.js';

/** The fixed list that the options name. Without one, the server is its own only Coordinator. */
export function fixedCoordinators({ options, bound, log }: Pick<Opening, 'options' | 'bound' | 'log'>): ListSource {
  refuseUnlistable(options);
  const directory = new FixedDirectory(namedIn(options) ?? []);
  let waiting: Promise<unknown> | undefined;
  const listItself = async (): Promise<void> => {
    const own = await bound();
    const refusals = own.flatMap((endpoint) => refusalOf(endpoint) ?? []);
    if (refusals.length > 0) log('warn', 'entry-skipped', `skipped in the cluster listing: ${firstOf(refusals, '; ')}`);
    directory.replace(own.filter((endpoint) => refusalOf(endpoint) === undefined));
    // Others follow this directory by its events.
    await turn();
    waiting = undefined;
  };
  if (namedIn(options) === undefined) waiting = listItself();
  return {
    directory,
    untilListed: () => waiting,
    live: ['cluster.coordinator', 'cluster.my-address', 'cluster.my-advertised-endpoint'],
    replace: (next) => {
      refuseUnlistable(next);
      const named = namedIn(next);
      if (named !== undefined) directory.replace(named);
      else waiting = listItself();
    },
    close: () => directory.close(),
  };
}

/** `undefined` if the list is this server itself, whose address is unknown until it listens. */
function namedIn(options: ServerOptions): readonly string[] | undefined {
  const { role, coordinators } = options;
  if (role !== 'coordinator' || coordinators.length > 0) return coordinators;
  const own = ownAddress(options);
  return own === undefined ? undefined : [own];
}

/** @throws Error for a Coordinator whose list would have no usable entry. */
function refuseUnlistable(options: ServerOptions): void {
  const { role, coordinators, endpoints } = options;
  if (role !== 'coordinator' || coordinators.length > 0 || ownAddress(options) !== undefined) return;
  if (endpoints.some((endpoint) => refusalOf(endpoint) === undefined)) return;
  throw new Error(
    `a coordinator that listens on ${endpoints.join(', ')} needs --cluster.my-address: clients cannot connect to a wildcard ` +
      'address or to a socket of another machine',
  );
}

function refusalOf(endpoint: string): string | undefined {
  try {
    // Port 0 is replaced by a real one later; what matters here is the host.
    coordinatorEndpoint(endpoint.replace(/:0$/, ':1'));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A fixed list that SIGHUP may replace, as a directory, in the order in which it was given. */
class FixedDirectory extends DerivedDirectory {
  #endpoints: readonly string[];

  constructor(endpoints: readonly string[]) {
    super([]);
    this.#endpoints = endpoints;
    this.begin();
  }

  replace(endpoints: readonly string[]): void {
    this.#endpoints = endpoints;
    this.rederive();
  }

  protected derive(): readonly Candidate[] {
    return this.#endpoints.map((endpoint) => ({ source: endpoint, endpoint }));
  }
}
