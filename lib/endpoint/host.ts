import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

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
  return ascii.split('.').every((label) => LABEL.test(label)) && isDecodable(ascii) ? ascii : undefined;
}

/**
 * Whether each `xn--` label stands for text that is not ASCII, and for no other text (RFC 5891, section 4.2.1).
 *
 * From Node 24 on `domainToASCII` lets malformed ones pass, for which the `URL` of older versions and of browsers throws.
 */
function isDecodable(ascii: string): boolean {
  const labels = ascii.split('.');
  if (!labels.some((label) => label.startsWith('xn--'))) return true;
  const unicode = domainToUnicode(ascii);
  const decoded = unicode.split('.');
  return (
    domainToASCII(unicode) === ascii &&
    labels.every((label, index) => !label.startsWith('xn--') || /\P{ASCII}/u.test(String(decoded[index])))
  );
}
