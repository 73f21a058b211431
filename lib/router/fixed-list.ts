import type { EndpointProvider, ServerRole } from '../contract.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';

/**
 * A provider of a list that never changes.
 *
 * @throws `TypeError` that names every bad endpoint at once. On a coordinator the list is the cluster listing too, so wildcard
 *   addresses and unix sockets are bad there; where the role is a function, only a request can tell.
 */
export function fixedList(endpoints: readonly string[], role: ServerRole | (() => ServerRole)): EndpointProvider {
  const check = role === 'coordinator' ? coordinatorEndpoint : serverEndpoint;
  const list = Object.freeze(Array.from(endpoints));
  const refusals = list.flatMap((endpoint) => {
    try {
      check(endpoint);
      return [];
    } catch (refusal) {
      return [refusal as Error];
    }
  });
  if (refusals.length > 0) {
    throw new TypeError(`option endpoints: ${refusals.map(({ message }) => message).join('\n')}`, {
      cause: new AggregateError(refusals),
    });
  }
  return () => list;
}
