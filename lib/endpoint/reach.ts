import { BlockList, isIP } from 'node:net';

/** Where an address can be reached from: everywhere, in a private network, on its own machine; or nobody can connect there. */
export type Reach = 'public' | 'private' | 'loopback' | 'wildcard';

const RANGES: readonly (readonly [Reach, BlockList])[] = [
  ['wildcard', blockList([['0.0.0.0', 32, 'ipv4'], ['::', 128, 'ipv6']])],
  ['loopback', blockList([['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']])],
  // RFC 1918, RFC 3927, RFC 6598; RFC 4193, RFC 4291.
  ['private', blockList([['10.0.0.0', 8, 'ipv4'], ['172.16.0.0', 12, 'ipv4'], ['192.168.0.0', 16, 'ipv4'],
    ['169.254.0.0', 16, 'ipv4'], ['100.64.0.0', 10, 'ipv4'], ['fc00::', 7, 'ipv6'], ['fe80::', 10, 'ipv6']])],
]; // prettier-ignore

function blockList(subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix, family] of subnets) list.addSubnet(address, prefix, family);
  return list;
}

/**
 * Where the host of an endpoint can be reached from, as far as it says so.
 *
 * @param host An address, or a name, of which only `localhost` says where it is.
 */
export function reachOf(host: string): Reach | undefined {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined;
  return RANGES.find(([, list]) => list.check(host, family === 4 ? 'ipv4' : 'ipv6'))?.[0] ?? 'public';
}
