import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import type { Endpoint } from '../endpoint/endpoint.js';
import { endpointText } from '../endpoint/format.js';
import { refusal } from './listen-error.js';

/** One socket to bind: a path, or an address (never a name) and a port. */
export interface Target {
  readonly endpoint: Endpoint;
  /** The address; empty for a path. */
  readonly host: string;
  /** `[::]` leaves IPv4 alone. */
  readonly ipv6Only: boolean;
}

/**
 * The sockets to bind for a list of endpoints. Endpoints that come to the same socket, as `tcp://localhost:8529` and
 * `tcp://127.0.0.1:8529` do, are one: the first.
 *
 * @throws {@link ListenError} for a host name that cannot be resolved.
 */
export async function findTargets(endpoints: readonly Endpoint[]): Promise<Target[]> {
  const resolved = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, host: await addressOf(endpoint) })),
  );
  const ipv4Ports = new Set(resolved.filter(({ host }) => isIPv4(host)).map(({ endpoint }) => endpoint.port));

  const targets = new Map<string, Target>();
  for (const { endpoint, host } of resolved) {
    // With port 0 nobody knows yet where the socket will be.
    const key = endpointText(endpoint.port === 0 ? endpoint : { ...endpoint, host });
    // By itself [::] takes the IPv4 addresses of its port as well, and nothing else could be bound to them.
    const ipv6Only = host === '::' && ipv4Ports.has(endpoint.port);
    if (!targets.has(key)) targets.set(key, { endpoint, host, ipv6Only });
  }
  return [...targets.values()];
}

/** A name is bound at its IPv4 address, if it has one: `localhost` is `127.0.0.1`, whatever the resolver puts first. */
async function addressOf(endpoint: Endpoint): Promise<string> {
  const { host } = endpoint;
  if (endpoint.scheme === 'unix' || isIP(host) !== 0) return host;
  try {
    const { address } = await lookup(host, { verbatim: false });
    return address;
  } catch (error) {
    throw refusal(endpointText(endpoint), error as NodeJS.ErrnoException);
  }
}
