import { endpointText, EndpointSyntaxError, SCHEMES } from './endpoint.js';
import { parseEndpoint } from './parse.js';
import { titled } from '../text/shown.js';

/** The unspecified addresses, the last one as IPv4-mapped IPv6: servers bind them, but clients cannot connect to them. */
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::ffff:0:0']);

/**
 * The canonical form of a Coordinator's endpoint.
 *
 * @throws {@link EndpointSyntaxError}, also for `unix` and wildcard addresses: no client on another machine can connect there.
 */
export function coordinatorEndpoint(text: string): string {
  const endpoint = parseEndpoint(text);
  if (SCHEMES[endpoint.scheme].isSocketFile)
    throw new EndpointSyntaxError(text, 'a cluster listing has no place for a unix socket');
  if (WILDCARDS.has(endpoint.host)) throw new EndpointSyntaxError(text, 'clients cannot connect to a wildcard address');
  return endpointText(endpoint);
}

/**
 * The form in which a server lists an endpoint that it listens on: `http` for `tcp`, `https` for `ssl`.
 *
 * @throws {@link EndpointSyntaxError}
 */
export function serverEndpoint(text: string): string {
  const endpoint = parseEndpoint(text);
  return SCHEMES[endpoint.scheme].shownAs + endpointText(endpoint).slice(endpoint.scheme.length);
}

/**
 * Reads endpoints one by one, so that one error names all invalid ones.
 *
 * @param label - The source, for the message: `createEndpointRouter: option endpoints`.
 * @param read - One of `parseEndpoint`, `coordinatorEndpoint`, `serverEndpoint`.
 * @throws `TypeError` with a line for each bad endpoint; its cause is an `AggregateError` of `EndpointSyntaxError`s.
 */
export function readEachEndpoint<T>(label: string, texts: readonly string[], read: (text: string) => T): T[] {
  const refusals: Error[] = [];
  const values: T[] = [];
  for (const text of texts) {
    try {
      values.push(read(text));
    } catch (refusal) {
      refusals.push(refusal as Error);
    }
  }
  if (refusals.length === 0) return values;
  const lines = refusals.map(({ message }) => message);
  throw new TypeError(titled(label, lines), { cause: new AggregateError(refusals) });
}
