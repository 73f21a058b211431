import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { MAX_PORT } from './endpoint.js';

const MAX_NAME_CHARACTERS = 253;
/** A label of RFC 1123, plus the underscore of container and service names. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Names that are canonical as they stand, as most are: no punycode, and no last label that could be read as a number. */
const PLAIN_NAME =
  /^(?:(?!xn--)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!xn--)[a-z_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The RFC 5952 form of the text between two brackets, or `undefined` if it is not an IPv6 address. */
export function canonicalIPv6(literal: string): string | undefined {
  return isIPv6(literal) && !literal.includes('%') ? new URL(`http://[${literal}]`).hostname.slice(1, -1) : undefined;
}

/** A host name in its ASCII, lower-case form without a final dot, or a dotted IPv4 address; `undefined` for anything else. */
export function canonicalName(name: string): string | undefined {
  if (isIPv4(name) || (name.length <= MAX_NAME_CHARACTERS && PLAIN_NAME.test(name))) return name;
  const ascii = withoutFinalDot(domainToASCII(name)) ?? '';
  // domainToASCII reads 127.1, 0x7f.1 and full-width digits as addresses, as URL does; they are surely mistakes.
  if (ascii.length > MAX_NAME_CHARACTERS || isIPv4(ascii)) return undefined;
  return ascii.split('.').every((label) => LABEL.test(label)) && isDecodable(ascii) ? ascii : undefined;
}

/** A host name without the final dot of an absolute one; `undefined` if it, or one of its labels, is empty. */
export function withoutFinalDot(name: string): string | undefined {
  const relative = name.replace(/\.$/, '');
  return relative.split('.').includes('') ? undefined : relative;
}

/** The origin of an `http:` or `https:` URL, its host without a final dot; `undefined` for a host with an empty label. */
export function canonicalOrigin({ protocol, hostname, port }: URL): string | undefined {
  const host = withoutFinalDot(hostname);
  return host === undefined ? undefined : `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/**
 * Whether each `xn--` label is the form of a text that is not ASCII (RFC 5891, section 4.2.1): `xn---mzo` is not, since its text has the
 * form `xn--mzo`.
 *
 * From Node 24 on, `domainToASCII` accepts malformed ones, for which `URL` throws in older versions and in browsers.
 */
function isDecodable(ascii: string): boolean {
  const unicode = domainToUnicode(ascii);
  const decoded = unicode.split('.');
  return (
    domainToASCII(unicode) === ascii &&
    ascii.split('.').every((label, index) => !label.startsWith('xn--') || /\P{ASCII}/u.test(String(decoded[index])))
  );
}

/** The form of a DNS server's address, for messages. */
export const DNS_SERVER_FORM = '"<IP address>", "<IPv4 address>:<port>" or "[<IPv6 address>]:<port>"';

/**
 * Whether a text is the address of a DNS server: `10.0.0.53`, `10.0.0.53:8600`, `fd00::53`, `[fd00::53]` or
 * `[fd00::53]:8600`. `setServers` of `node:dns` accepts each of them.
 *
 * Stricter than `setServers`, which drops zone ids, reads port 99999 as 34463, and ends the process at port 0.
 */
export function isDnsServerAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.includes('%')) return false;
  if (isIP(value) !== 0) return true;
  const [, inBrackets = '', before = '', port = ''] =
    /^(?:\[([^\]]+)\]|([^:]+)(?=:))(?::([1-9][0-9]{0,4}))?$/.exec(value) ?? [];
  return (isIPv6(inBrackets) || isIPv4(before)) && Number(port) <= MAX_PORT;
}

/** A host as it stands in URLs and endpoints. */
export function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
