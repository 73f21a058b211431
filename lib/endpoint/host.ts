import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

const MAX_NAME_CHARACTERS = 253;
/** A label of RFC 1123, and the underscore that container and service names carry. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The RFC 5952 form of the text between two brackets, or nothing when it is not an IPv6 address. */
export function canonicalIPv6(literal: string): string | undefined {
  return isIPv6(literal) ? new URL(`http://[${literal}]`).hostname.slice(1, -1) : undefined;
}

/** A host name in its ASCII, lower-case form, or a dotted IPv4 address; nothing for anything else. */
export function canonicalName(name: string): string | undefined {
  if (isIPv4(name)) return name;
  const ascii = domainToASCII(name);
  // domainToASCII reads 127.1, 0x7f.1 and full-width digits as addresses, as URL does; nobody means those.
  if (ascii.length > MAX_NAME_CHARACTERS || isIPv4(ascii)) return undefined;
  return ascii.split('.').every((label) => LABEL.test(label)) ? ascii : undefined;
}
