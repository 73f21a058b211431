import { ownAddress, type ListSource, type Opening } from './coordinators.js';
import { fixedCoordinators } from './fixed-coordinators.js';

/** Opens the list that the options name. Loads the code of a registry on demand. */
export async function openListSource(opening: Opening): Promise<ListSource> {
  const { options } = opening;
  // Other roles respond with 501 for any list, and are not in it.
  if (options.role !== 'coordinator') return fixedCoordinators(opening);
  const own = ownAddress(options);
  if (own !== undefined && options.agencyEndpoints.length > 0) {
    const { etcdCoordinators } = await import('./etcd-coordinators.js');
    return etcdCoordinators(own, opening);
  }
  if (options.srvName !== undefined) {
    const { srvCoordinators } = await import('./srv-coordinators.js');
    return srvCoordinators(options.srvName, opening);
  }
  if (options.upstreams.length > 0) {
    const { upstreamCoordinators } = await import('./upstream-coordinators.js');
    return upstreamCoordinators(opening);
  }
  return fixedCoordinators(opening);
}
