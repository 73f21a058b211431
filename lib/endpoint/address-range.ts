import { isIP, isIPv4, isIPv6 } from 'node:net';
import { canonicalIPv6 } from './host.js';

/** The form of an address range, for messages. */
export const ADDRESS_RANGE_FORM = 'an IP address or a CIDR range, as 10.0.0.0/8';

/** IPv6 addresses that stand for IPv4 ones, `::ffff:10.0.0.1` (RFC 4291, section 2.5.5.2), begin with these bits. */
const MAPPED = `${'0'.repeat(80)}${'1'.repeat(16)}`;

/** Whether a text is an IP address, or a range of them in CIDR notation (RFC 4632, RFC 4291). */
export function isAddressRange(text: unknown): text is string {
  return typeof text === 'string' && rangeBits(text).length > 0;
}

/**
 * Tells whether an IP address is in one of the ranges, each of which {@link isAddressRange} has accepted. What is no address is in none.
 *
 * Compares text: `BlockList` of `node:net` takes up to 10 µs for one address, and finds IPv4 addresses in `::/0`.
 */
export function inRanges(texts: readonly string[]): (address: string) => boolean {
  const ranges = texts.flatMap(rangeBits);
  return (address) => {
    const bits = bitsOf(address);
    return bits !== undefined && ranges.some((range) => bits.startsWith(range));
  };
}

/** Whether ranges together have every address of another one. */
export function coverRange(texts: readonly string[], text: string): boolean {
  const ranges = texts.flatMap(rangeBits);
  return rangeBits(text).every((bits) => areCovered(bits, ranges));
}

function areCovered(bits: string, ranges: readonly string[]): boolean {
  if (ranges.some((range) => bits.startsWith(range))) return true;
  const within = ranges.filter((range) => range.startsWith(bits));
  return within.length > 0 && areCovered(`${bits}0`, within) && areCovered(`${bits}1`, within);
}

/** The bits that all addresses of a range begin with; none for what is no range. */
function rangeBits(text: string): readonly string[] {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = plainBits(address);
  const length = Number(prefix ?? bits?.length);
  return bits === undefined || length > bits.length ? [] : [ofFamily(bits.slice(0, length), bits.length)];
}

/** The bits of an address, which may have a zone. */
function bitsOf(address: string): string | undefined {
  const bits = plainBits(isIPv6(address) ? address.replace(/%.*/s, '') : address);
  return bits && ofFamily(bits, bits.length);
}

function plainBits(address: string): string | undefined {
  if (isIPv4(address)) return binary(address.split('.'), 10, 8);
  const canonical = canonicalIPv6(address);
  if (canonical === undefined) return undefined;
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const zeros = ':0'.repeat(8 - groupsOf(canonical).length);
  return binary(groupsOf(canonical.replace('::', `${zeros}:`)), 16, 16);
}

function binary(numbers: readonly string[], radix: number, width: number): string {
  return numbers.map((number) => parseInt(number, radix).toString(2).padStart(width, '0')).join('');
}

/** Bits that no address of the other family begins with; a mapped address is one of IPv4. */
function ofFamily(bits: string, width: number): string {
  if (width === 32) return `4${bits}`;
  return bits.startsWith(MAPPED) ? `4${bits.slice(MAPPED.length)}` : `6${bits}`;
}

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
