import type { Endpoint } from './endpoint.js';
import { parseEndpoint } from './parse.js';

/** An address (a path has slashes) that ends in port 0, without the port. */
const ANY_PORT = /^([^/]*:\/\/(?:\[[^\]]*\]|[^/:[\]]*)):0\/?$/;

/**
 * As `parseEndpoint`, and with port 0 too: whoever binds may leave the choice of the port to the system.
 *
 * @throws EndpointSyntaxError, and nothing else.
 */
export function bindableEndpoint(text: string): Endpoint {
  const [, address] = typeof text === 'string' ? (ANY_PORT.exec(text) ?? []) : [];
  try {
    if (address !== undefined) return { ...parseEndpoint(address), port: 0 };
  } catch {
    // There is more wrong with it than the port; the refusal is to name the whole text.
  }
  return parseEndpoint(text);
}
