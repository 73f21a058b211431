import type { Endpoint } from './endpoint.js';
import { parseEndpoint } from './parse.js';

/**
 * The canonical form of an endpoint: `tcp://host:8529`, `ssl://[::1]:8529`, `unix:///path`.
 *
 * `parseEndpoint(formatEndpoint(endpoint))` equals `endpoint` for every endpoint that {@link parseEndpoint} gave.
 *
 * @throws {@link EndpointSyntaxError} when the parts do not make an endpoint: no text leaves that
 *   {@link parseEndpoint} would refuse.
 */
export function formatEndpoint(endpoint: Endpoint): string {
  return endpointText(parseEndpoint(endpointText(endpoint)));
}

/** The same for an endpoint that {@link parseEndpoint} made: nothing is left to check. */
export function endpointText({ scheme, host, port, path = '' }: Endpoint): string {
  if (scheme === 'unix') return `unix://${path}`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
