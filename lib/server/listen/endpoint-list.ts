import type { Endpoint } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { shown } from '../../endpoint/syntax-error.js';

/** An address that ends in port 0, without the port. */
const ANY_PORT = /^([^/]*:\/\/(?:\[[^\]]*\]|[^:[\]]*)):0\/?$/;

/**
 * Reads the list of endpoints, all of it before anything is bound.
 *
 * @throws TypeError when there is no list, or nothing in it.
 * @throws {@link EndpointSyntaxError} for a bad endpoint; an `AggregateError` of them, which names them all, for several.
 */
export function readEndpointList(texts: unknown): Endpoint[] {
  if (!Array.isArray(texts)) throw new TypeError(`endpoints must be an array of strings, not ${shown(texts)}`);
  if (texts.length === 0) throw new TypeError('endpoints must hold at least one endpoint, not none');
  const endpoints: Endpoint[] = [];
  const errors: Error[] = [];
  for (const text of texts as unknown[]) {
    try {
      endpoints.push(bindableEndpoint(text as string));
    } catch (error) {
      errors.push(error as Error);
    }
  }
  const [first, ...others] = errors;
  if (others.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
  if (first !== undefined) throw first;
  return endpoints;
}

/** As {@link parseEndpoint}, and with port 0 too: whoever binds may leave the choice of the port to the system. */
function bindableEndpoint(text: string): Endpoint {
  const [, address] = typeof text === 'string' ? (ANY_PORT.exec(text) ?? []) : [];
  if (address === undefined) return parseEndpoint(text);
  const endpoint = parseEndpoint(address);
  return endpoint.scheme === 'unix' ? parseEndpoint(text) : { ...endpoint, port: 0 };
}
