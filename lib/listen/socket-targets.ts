import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import { endpointText, SCHEMES, type Endpoint } from '../endpoint/endpoint.js';
import { readEachEndpoint } from '../endpoint/listable.js';
import { bindableEndpoint } from '../endpoint/parse.js';
import { shown } from '../text/shown.js';
import { refusedBySystem } from './listen-error.js';

/** One socket to bind: a path, or an address (never a name) and a port. */
export interface SocketTarget {
  readonly endpoint: Endpoint;
  /** The address; empty for a path. */
  readonly host: string;
  /** `[::]` leaves IPv4 alone. */
  readonly ipv6Only: boolean;
}

/**
 * Reads the list of endpoints, all of it before anything is bound.
 *
 * @throws `TypeError` if there is no list or it is empty, or for all invalid endpoints together; its cause is then an `AggregateError` of
 *   `EndpointSyntaxError`s.
 */
export function readEndpointList(texts: readonly string[]): Endpoint[] {
  const given: unknown = texts;
  if (!Array.isArray(given))
    throw new TypeError(`listenOn: endpoints must be an array of endpoints, got ${shown(given)}`);
  if (given.length === 0)
    throw new TypeError('listenOn: endpoints must be an array of at least one endpoint, got an empty one');
  return readEachEndpoint('listenOn: endpoints', given as string[], bindableEndpoint);
}

/**
 * The sockets to bind for a list of endpoints. Of endpoints with the same socket, such as `tcp://localhost:8529` and
 * `tcp://127.0.0.1:8529`, it takes the first.
 *
 * @throws {@link ListenError} for a host name that cannot be resolved.
 */
export async function findTargets(endpoints: readonly Endpoint[]): Promise<SocketTarget[]> {
  const resolved = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, host: await addressOf(endpoint) })),
  );
  const ipv4Ports = new Set(resolved.filter(({ host }) => isIPv4(host)).map(({ endpoint }) => endpoint.port));

  const targets = new Map<string, SocketTarget>();
  for (const { endpoint, host } of resolved) {
    // With port 0 the address is not yet known.
    const key = endpointText(endpoint.port === 0 ? endpoint : { ...endpoint, host });
    // Without ipv6Only, [::] takes the IPv4 addresses of its port as well, and nothing else can be bound to them.
    const ipv6Only = host === '::' && ipv4Ports.has(endpoint.port);
    if (!targets.has(key)) targets.set(key, { endpoint, host, ipv6Only });
  }
  return [...targets.values()];
}

/** A name is bound to its IPv4 address, if it has one: `localhost` is `127.0.0.1`, whatever the resolver returns first. */
async function addressOf(endpoint: Endpoint): Promise<string> {
  const { host } = endpoint;
  if (SCHEMES[endpoint.scheme].isSocketFile || isIP(host) !== 0) return host;
  try {
    const { address } = await lookup(host, { verbatim: false });
    return address;
  } catch (error) {
    throw refusedBySystem(endpointText(endpoint), error as NodeJS.ErrnoException);
  }
}
