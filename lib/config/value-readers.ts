import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { bindableEndpoint, parseEndpoint } from '../endpoint/parse.js';
import { isAddressRange } from '../endpoint/address-range.js';
import { bracketed, canonicalIPv6, canonicalName, isDnsServerAddress } from '../endpoint/host.js';
import { endpointText, EndpointSyntaxError } from '../endpoint/endpoint.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { isRequestPath, serverAddress } from '../endpoint/server-address.js';
import { REST } from '../listing/translation-rules.js';
import { isDatabaseName } from '../options/listing-route.js';
import type { ServerRole } from '../options/role.js';
import { shown } from '../text/shown.js';

/** An invalid value of an option. */
export class ValueError extends Error {
  /** What is wrong, without the value. */
  readonly reason: string;

  constructor(value: string, wanted: string, reason: string) {
    super(`${shown(value)} is not ${wanted}: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Parses the non-empty text of an option.
 *
 * @param cwd - The folder of relative file names.
 * @throws {@link EndpointSyntaxError} or {@link ValueError}, and nothing else.
 */
export type ValueReader<Value> = (text: string, cwd: string) => Value;

/** The spellings of the roles, in any letter case. PRIMARY is the older word for DBSERVER. */
export const role = oneWordOf<ServerRole>('a role', {
  SINGLE: 'single',
  COORDINATOR: 'coordinator',
  DBSERVER: 'dbserver',
  PRIMARY: 'dbserver',
  AGENT: 'agent',
});

/** An endpoint to listen on. */
export function endpoint(text: string): string {
  return endpointText(bindableEndpoint(text));
}

/** etcd's gateway speaks HTTP: `tcp` and `ssl`, known from the other options, become `http` and `https`. */
export function agencyEndpoint(text: string): string {
  const address = serverEndpoint(text);
  if (address.startsWith('unix:'))
    throw new EndpointSyntaxError(text, 'an agency is not reached through a unix socket');
  // 8529, the default port of endpoints, is not etcd's.
  if (!/:\d+\/?$/.test(text)) throw new EndpointSyntaxError(text, 'an agency needs its port, 2379 for etcd');
  return address;
}

/** The name of SRV records. */
export function srvName(text: string): string {
  const name = isIPv4(text) ? undefined : canonicalName(text);
  if (name !== undefined) return name;
  throw new ValueError(text, 'an SRV name', 'it is not a DNS name, as _arangodb._tcp.example.com');
}

/** The address of a DNS server. */
export function dnsServer(text: string): string {
  if (!isDnsServerAddress(text)) {
    throw new ValueError(text, 'a DNS server', 'it is not an IP address, or one with a port, as 10.0.0.53:8600');
  }
  return text;
}

/** A server whose listing to follow. */
export function upstream(text: string): string {
  let hasUser: boolean;
  try {
    hasUser = serverAddress(text).authorization !== undefined;
  } catch (error) {
    if (error instanceof EndpointSyntaxError) throw error;
    throw new ValueError(text, 'an upstream', (error as Error).message);
  }
  // Every user of the machine can read a command line.
  if (!hasUser) return text;
  throw new ValueError(text, 'an upstream', 'a user belongs into ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION');
}

/** The name of a database. */
export function database(text: string): string {
  if (!isDatabaseName(text)) throw new ValueError(text, 'a database name', 'a URL cannot name it');
  return text;
}

/** A translation rule: both sides in canonical form. */
export function translation(text: string): readonly [from: string, to: string] {
  const middle = text.lastIndexOf('=');
  if (middle < 0)
    throw new ValueError(text, 'a translation', 'it has no "=", as tcp://10.0.0.11:8529=ssl://db1.example:443');
  const from = text.slice(0, middle);
  const to = coordinatorEndpoint(text.slice(middle + 1));
  return Object.freeze([from === REST ? from : endpointText(parseEndpoint(from)), to]);
}

/** What happens to an endpoint that no rule matches. */
export const unmatched = oneWordOf('what becomes of an endpoint', { skip: 'skip', keep: 'keep' } as const);

/** A host that clients ask for, in the form in which they send it. */
export function requestedHost(text: string): string {
  const host = /^\[.*\]$/.test(text) ? bracketed(canonicalIPv6(text.slice(1, -1)) ?? '') : canonicalName(text);
  if (host !== undefined && host !== '') return host;
  throw new ValueError(
    text,
    'a host',
    'it is neither a host name nor an IP address, without a port; IPv6 has brackets',
  );
}

/** Part of the names of a horizon's options, and so of the names of variables. */
export function horizonName(text: string): string {
  if (/^[a-z\d]+(?:-[a-z\d]+)*$/.test(text)) return text;
  throw new ValueError(
    text,
    'the name of a horizon',
    'it has other characters than a to z, 0 to 9 and "-" between them',
  );
}

/** The path of a health check, or `tcp`. */
export function healthCheckPath(text: string): string {
  if (text === 'tcp' || isRequestPath(text)) return text;
  throw new ValueError(text, 'a path', 'it does not begin with "/", or has a blank or a character outside ASCII');
}

/** An IP address or a CIDR range. */
export function addressRange(text: string): string {
  if (isAddressRange(text)) return text;
  throw new ValueError(text, 'an IP range', 'it is neither an IP address nor a CIDR range, as 10.0.0.0/8');
}

/** The addresses of proxies. Behind one that is everywhere, every client could choose its own address. */
export function trustedProxy(text: string): string {
  if (!/\/0+$/.test(addressRange(text))) return text;
  throw new ValueError(text, 'a range of proxies', 'it has every address');
}

/** The absolute path of a file, which is not opened here. */
export function file(text: string, cwd: string): string {
  return resolve(cwd, printableText('a file name')(text));
}

/** Text on one line. */
export function printableText(wanted: string): (text: string) => string {
  return (text) => {
    if (/\p{Cc}/u.test(text)) throw new ValueError(text, wanted, 'it contains a control character');
    return text;
  };
}

/** A whole number of seconds. */
export function seconds(min: number, max: number): ValueReader<number> {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= min && number <= max) return number;
    const range = `from ${String(min)} to ${String(max)}`;
    throw new ValueError(text, 'a number of seconds', `it is not a whole number ${range}`);
  };
}

export const boolean = oneWordOf('a boolean', { true: true, false: false, on: true, off: false, yes: true, no: false });

/** One of a few words in any letter case. */
export function oneWordOf<Value>(wanted: string, words: Readonly<Record<string, Value>>): ValueReader<Value> {
  return (text) => {
    const word = Object.keys(words).find((known) => known.toUpperCase() === text.toUpperCase());
    if (word !== undefined) return words[word] as Value;
    throw new ValueError(text, wanted, `it is none of ${Object.keys(words).join(', ')}`);
  };
}
