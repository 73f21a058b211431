import type { RequestHandler } from 'express';
import type { ServerOptions } from '../config/index.js';

/** Where the cluster listing of the runnable server comes from. */
export interface Coordinators {
  readonly provider: () => readonly string[] | Promise<readonly string[]>;
  /** Stands before the router: marks answers made from a list that the engine does not confirm. */
  readonly middleware?: RequestHandler;
  /** Makes this server known to the others, once it listens. */
  readonly join?: () => Promise<unknown>;
  /** Takes over what another reading of the configuration says. */
  readonly replace?: (options: ServerOptions) => void;
  /** Takes this server off the list first of all. */
  readonly close: () => Promise<void>;
}

/** What happens at an engine, for the log. */
export type Log = (line: string) => void;

/**
 * Opens the list of Coordinators that the options name: etcd, DNS SRV, or the fixed list; without any, the server is its own
 * only Coordinator. The engines are loaded only by those who name them.
 *
 * @param bound - What the server listens on, for one that has no other address.
 */
export async function openCoordinators(
  options: ServerOptions,
  bound: () => Promise<readonly string[]>,
  log: Log,
): Promise<Coordinators> {
  // Others answer 501 whatever the list is, and do not stand in it.
  if (options.role !== 'coordinator') return fixedCoordinators(options, bound);
  const own = ownAddress(options);
  if (own !== undefined && options.agencyEndpoints.length > 0) {
    const { etcdCoordinators } = await import('./etcd-coordinators.js');
    return etcdCoordinators(options.agencyEndpoints, own, log);
  }
  if (options.srvName !== undefined) {
    const { srvCoordinators } = await import('./srv-coordinators.js');
    return srvCoordinators(options.srvName, options.dnsServers, own, log);
  }
  return fixedCoordinators(options, bound);
}

function fixedCoordinators(first: ServerOptions, bound: () => Promise<readonly string[]>): Coordinators {
  let list = first.coordinators;
  let own = ownAddress(first);
  return {
    provider: () => (list.length > 0 ? list : own === undefined ? bound() : [own]),
    replace: (options) => {
      list = options.coordinators;
      own = ownAddress(options);
    },
    close: () => Promise.resolve(),
  };
}

/** The address that clients get for this server, if it has been told one. */
function ownAddress({ advertisedEndpoint, myAddress }: ServerOptions): string | undefined {
  return advertisedEndpoint ?? myAddress;
}
