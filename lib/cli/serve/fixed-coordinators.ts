import type { ServerOptions } from '../../config/index.js';
import { coordinatorEndpoint } from '../../endpoint/listable.js';
import { ownAddress, type Coordinators, type Opening } from './coordinators.js';

/** The fixed list that the options name. Without one, the server is its own only Coordinator. */
export function fixedCoordinators({ options, bound }: Pick<Opening, 'options' | 'bound'>): Coordinators {
  refuseUnlistable(options);
  let { coordinators } = options;
  let own = ownAddress(options);
  return {
    provider: () => (coordinators.length > 0 ? coordinators : own === undefined ? bound() : [own]),
    live: ['cluster.coordinator', 'cluster.my-address', 'cluster.my-advertised-endpoint'],
    replace: (next) => {
      refuseUnlistable(next);
      coordinators = next.coordinators;
      own = ownAddress(next);
    },
    close: () => Promise.resolve(),
  };
}

/** @throws Error for a Coordinator whose list would have no usable entry. */
function refuseUnlistable(options: ServerOptions): void {
  const { role, coordinators, endpoints } = options;
  if (role !== 'coordinator' || coordinators.length > 0 || ownAddress(options) !== undefined) return;
  if (endpoints.some(isListable)) return;
  throw new Error(
    `a coordinator that listens on ${endpoints.join(', ')} needs --cluster.my-address: clients cannot connect to a wildcard ` +
      'address or to a socket of another machine',
  );
}

function isListable(endpoint: string): boolean {
  try {
    // Port 0 is replaced by a real one later; what matters here is the host.
    coordinatorEndpoint(endpoint.replace(/:0$/, ':1'));
    return true;
  } catch {
    return false;
  }
}
