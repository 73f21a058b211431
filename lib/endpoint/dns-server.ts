import { isIP, isIPv4, isIPv6 } from 'node:net';
import { MAX_PORT } from './endpoint.js';

/** How the address of a DNS server is written, for messages. */
export const DNS_SERVER_FORM = '"<IP address>", "<IPv4 address>:<port>" or "[<IPv6 address>]:<port>"';

/**
 * Whether a text is the address of a DNS server: `10.0.0.53`, `10.0.0.53:8600`, `fd00::53`, `[fd00::53]` or
 * `[fd00::53]:8600`. `setServers` of `node:dns` takes each of them as it is written.
 *
 * Stricter than `setServers`, which drops zone ids, reads port 99999 as 34463, and ends the process at port 0.
 */
export function isDnsServerAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.includes('%')) return false;
  if (isIP(value) !== 0) return true;
  const [, bracketed = '', before = '', port = ''] =
    /^(?:\[([^\]]+)\]|([^:]+)(?=:))(?::([1-9][0-9]{0,4}))?$/.exec(value) ?? [];
  return (isIPv6(bracketed) || isIPv4(before)) && Number(port) <= MAX_PORT;
}
