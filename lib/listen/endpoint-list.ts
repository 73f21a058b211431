import type { Endpoint } from '../endpoint/endpoint.js';
import { parseEndpoint } from '../endpoint/parse.js';
import { readEach } from '../endpoint/read-each.js';
import { shown } from '../text/shown.js';

/** An address (a path has slashes) that ends in port 0, without the port. */
const ANY_PORT = /^([^/]*:\/\/(?:\[[^\]]*\]|[^/:[\]]*)):0\/?$/;

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

/** As {@link parseEndpoint}, and with port 0 too: whoever binds may leave the choice of the port to the system. */
function bindableEndpoint(text: string): Endpoint {
  const [, address] = typeof text === 'string' ? (ANY_PORT.exec(text) ?? []) : [];
  try {
    if (address !== undefined) return { ...parseEndpoint(address), port: 0 };
  } catch {
    // There is more wrong with it than the port; the refusal is to name the whole text.
  }
  return parseEndpoint(text);
}
