import type { EndpointProvider } from './contract.js';
import type { ServerRole } from '../endpoint/role.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { readEach } from '../endpoint/read-each.js';

/**
 * A provider of a list that never changes.
 *
 * @throws `TypeError` that names every bad endpoint at once. On a coordinator the list is the cluster listing too, so wildcard
 *   addresses and unix sockets are bad there; where the role is a function, only a request can tell.
 */
export function fixedList(endpoints: readonly string[], role: ServerRole | (() => ServerRole)): EndpointProvider {
  const check = role === 'coordinator' ? coordinatorEndpoint : serverEndpoint;
  const list = Object.freeze(Array.from(endpoints));
  readEach('createEndpointRouter: option endpoints', list, check);
  return () => list;
}
