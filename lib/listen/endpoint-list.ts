import { bindableEndpoint } from '../endpoint/bindable.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { readEach } from '../endpoint/read-each.js';
import { shown } from '../text/shown.js';

/**
 * Reads the list of endpoints, all of it before anything is bound.
 *
 * @throws `TypeError` when there is no list or nothing in it, and one that names every bad endpoint at once; its cause is an
 *   `AggregateError` of `EndpointSyntaxError`s.
 */
export function readEndpointList(texts: readonly string[]): Endpoint[] {
  const given: unknown = texts;
  if (!Array.isArray(given))
    throw new TypeError(`listenOn: endpoints must be an array of endpoints, got ${shown(given)}`);
  if (given.length === 0)
    throw new TypeError('listenOn: endpoints must be an array of at least one endpoint, got an empty one');
  return readEach('listenOn: endpoints', given as string[], bindableEndpoint);
}
