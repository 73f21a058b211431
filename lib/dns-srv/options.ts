import { isIPv4 } from 'node:net';
import { POLLED_DIRECTORY_RULES, type PollingOptions } from '../directory/options.js';
import { DNS_SERVER_FORM, isDnsServerAddress, canonicalName } from '../endpoint/host.js';
import { readItems, readOptions, type OptionRule } from '../options/read-options.js';
import { integer, oneOf, optional } from '../options/rules.js';

/** The options of `createSrvDirectory`. Only `name` is required; none may be `undefined`. */
export interface SrvDirectoryOptions extends PollingOptions {
  /** The full name of the SRV records, `_arangodb._tcp.example.org`: no search domain is added. */
  readonly name: string;
  /**
   * The scheme of every endpoint, as SRV records carry none.
   * @defaultValue `'tcp'`
   */
  readonly scheme?: 'tcp' | 'ssl';
  /**
   * Addresses of DNS servers, tried in this order: `10.0.0.53`, `10.0.0.53:8600`, `fd00::53` or `[fd00::53]:8600`.
   * @defaultValue those of the system
   */
  readonly servers?: readonly string[];
  /**
   * ms for a server's first try, 250 to 60000; each further try may take up to twice as long.
   * @defaultValue 1000
   */
  readonly timeoutMs?: number;
  /**
   * Tries per server before a query fails, 1 to 10. With 2 and one silent server, it fails after 3 to 4 s.
   * @defaultValue 2
   */
  readonly tries?: number;
  /**
   * A response with more records is refused, 1 to 3000.
   * @defaultValue 1000
   */
  readonly maxRecords?: number;
}

/** The smallest record takes 21 of the 65,535 bytes of a DNS message. */
const MAX_RECORDS = 3000;

const name: OptionRule<string> = {
  allowed: 'a full domain name',
  read: (value) => (typeof value === 'string' && !isIPv4(value) ? canonicalName(value) : undefined),
};
const SERVERS = `an array of at least one ${DNS_SERVER_FORM}`;
const servers: OptionRule<readonly string[]> = {
  allowed: SERVERS,
  read: (value, label) =>
    Array.isArray(value) && value.length > 0
      ? readItems(value, label, (address) => (isDnsServerAddress(address) ? address : undefined), SERVERS)
      : undefined,
};
const RULES = {
  name,
  scheme: oneOf(['tcp', 'ssl'], 'tcp'),
  servers: optional(servers),
  // c-ares raises smaller values to 250.
  timeoutMs: integer(250, 60_000, 1000),
  tries: integer(1, 10, 2),
  maxRecords: integer(1, MAX_RECORDS, 1000),
  ...POLLED_DIRECTORY_RULES,
};

/** The options, checked and with their defaults. */
export type SrvSettings = ReturnType<typeof readSrvOptions>;

/** @throws TypeError naming the option, its value and what is allowed. */
export function readSrvOptions(given: unknown) {
  return readOptions('createSrvDirectory', given, RULES);
}
