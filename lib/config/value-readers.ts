import { isIP } from 'node:net';
import type { ServerRole } from '../endpoint/role.js';
import { isDnsServerAddress } from '../endpoint/dns-server.js';
import { endpointText } from '../endpoint/format.js';
import { canonicalName } from '../endpoint/host.js';
import { coordinatorEndpoint, serverEndpoint } from '../endpoint/listable.js';
import { parseEndpoint } from '../endpoint/parse.js';
import { EndpointSyntaxError } from '../endpoint/syntax-error.js';
import { shown } from '../text/shown.js';
import type { ValueOptionName } from './option-table.js';

/** What each role that can be written, in any letter case, means. PRIMARY is the older word for DBSERVER. */
export const ROLES: ReadonlyMap<string, ServerRole> = new Map([
  ['SINGLE', 'single'],
  ['COORDINATOR', 'coordinator'],
  ['DBSERVER', 'dbserver'],
  ['PRIMARY', 'dbserver'],
  ['AGENT', 'agent'],
]);

/** A value that an option has no use for. */
export class ValueError extends Error {
  /** What is wrong, without the value. */
  readonly reason: string;

  constructor(value: string, wanted: string, reason: string) {
    super(`${shown(value)} is not ${wanted}: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Reads the value of each option: gives its canonical form.
 *
 * Each throws {@link EndpointSyntaxError} or {@link ValueError}, and nothing else.
 */
export const VALUE_READERS: Readonly<Record<ValueOptionName, (value: string) => string>> = {
  'server.endpoint': (value) => endpointText(parseEndpoint(value)),
  'cluster.my-role': readRole,
  'cluster.my-address': coordinatorEndpoint,
  'cluster.my-advertised-endpoint': coordinatorEndpoint,
  'cluster.agency-endpoint': readAgencyEndpoint,
  'cluster.coordinator': coordinatorEndpoint,
  'cluster.my-srv-name': readSrvName,
  'cluster.dns-server': readDnsServer,
  'ssl.keyfile': readPath,
  configuration: readPath,
};

function readRole(value: string): string {
  const role = value.toUpperCase();
  if (!ROLES.has(role)) throw new ValueError(value, 'a role', `it is none of ${[...ROLES.keys()].join(', ')}`);
  return role;
}

/** etcd's gateway speaks HTTP: `tcp` and `ssl`, which users know from the other options, become `http` and `https`. */
function readAgencyEndpoint(value: string): string {
  const address = serverEndpoint(value);
  if (address.startsWith('unix:'))
    throw new EndpointSyntaxError(value, 'an agency is not reached through a unix socket');
  // 8529, the port of an endpoint that names none, is not where etcd listens.
  if (!/:\d+\/?$/.test(value)) throw new EndpointSyntaxError(value, 'an agency needs its port, 2379 for etcd');
  return address;
}

function readSrvName(value: string): string {
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  if (isIP(name) !== 0 || canonicalName(name) === undefined) {
    throw new ValueError(value, 'an SRV name', 'it is not a DNS name, as _arangodb._tcp.example.com');
  }
  return value;
}

function readDnsServer(value: string): string {
  if (!isDnsServerAddress(value)) {
    throw new ValueError(value, 'a DNS server', 'it is not an IP address, or one with a port, as 10.0.0.53:8600');
  }
  return value;
}

function readPath(value: string): string {
  if (/\p{Cc}/u.test(value)) throw new ValueError(value, 'a file name', 'it contains a control character');
  return value;
}
