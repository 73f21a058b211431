import { isIP } from 'node:net';
import { inRanges } from './host.js';

/** Where an address is reachable from: everywhere, a private network, its own machine, or nowhere. */
export type Reach = 'public' | 'private' | 'loopback' | 'wildcard';

const RANGES: readonly (readonly [Reach, readonly string[]])[] = [
  ['wildcard', ['0.0.0.0', '::']],
  ['loopback', ['127.0.0.0/8', '::1']],
  // RFC 1918, RFC 3927, RFC 6598; RFC 4193, RFC 4291.
  [
    'private',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fe80::/10'],
  ],
];

/**
 * Creates a function that tells where a host is reachable from, if the host says so: an address or, of names, only `localhost`. It creates
 * its tables here, since most processes that load this file never need them.
 */
export function createReachOf(): (host: string) => Reach | undefined {
  const ranges = RANGES.map(([reach, texts]) => [reach, inRanges(texts)] as const);
  return (host) => {
    if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined;
    return ranges.find(([, includes]) => includes(host))?.[0] ?? 'public';
  };
}
