import { resolve } from 'node:path';
import type { ServerRole } from '../endpoint/role.js';
import type { ChosenValues } from './chosen-values.js';
import type { ServerOptionName, SwitchName } from './option-table.js';
import { sourceOf } from './place.js';
import { ROLES } from './value-readers.js';

const DEFAULT_ENDPOINT = 'tcp://127.0.0.1:8529';

/** What a server is to do. Frozen; endpoints are in their canonical form, each once, in the order in which they were given. */
export interface ServerOptions {
  /** Where to listen: `server.endpoint`. Default: `tcp://127.0.0.1:8529`. */
  readonly endpoints: readonly string[];
  /** `cluster.my-role`. Default: `single`. */
  readonly role: ServerRole;
  /** `cluster.my-address`: the endpoint under which the server registers. */
  readonly myAddress?: string;
  /** `cluster.my-advertised-endpoint`: what clients get in place of `myAddress`. */
  readonly advertisedEndpoint?: string;
  /** `cluster.agency-endpoint`: addresses of etcd's gateway, with `http` or `https`. Default: none. */
  readonly agencyEndpoints: readonly string[];
  /** `cluster.coordinator`: the fixed list of Coordinators. Default: none. */
  readonly coordinators: readonly string[];
  /** `cluster.my-srv-name`: the DNS name that has the Coordinators. */
  readonly srvName?: string;
  /** `cluster.dns-server`: who is asked for that name. Default: the DNS servers of the system. */
  readonly dnsServers: readonly string[];
  /** `ssl.keyfile`: the absolute path of a PEM file. Nobody has looked into it yet. */
  readonly ssl?: { readonly keyfile: string };
  /**
   * Where each value came from: `command line`, `/etc/endpoints.conf:3` or `default`, one for each value, in the same order.
   * An option without a value is not in it.
   */
  readonly sources: Readonly<Partial<Record<ServerOptionName, readonly string[]>>>;
  /** `--help` was given: nothing else was read, all other fields are the defaults. */
  readonly help: boolean;
  /** `--version` was given: the same. */
  readonly version: boolean;
}

/** Gives the chosen values the names and types under which a program uses them. */
export function serverOptions(chosen: ChosenValues, switches: ReadonlySet<SwitchName>, cwd: string): ServerOptions {
  const all = (name: ServerOptionName): readonly string[] =>
    Object.freeze((chosen.get(name) ?? []).map(({ value }) => value));
  const one = (name: ServerOptionName): string | undefined => all(name)[0];
  const endpoints = all('server.endpoint');
  const [myAddress, advertisedEndpoint] = [one('cluster.my-address'), one('cluster.my-advertised-endpoint')];
  const [srvName, keyfile] = [one('cluster.my-srv-name'), one('ssl.keyfile')];

  return Object.freeze({
    endpoints: endpoints.length === 0 ? Object.freeze([DEFAULT_ENDPOINT]) : endpoints,
    role: ROLES.get(one('cluster.my-role') ?? '') ?? 'single',
    ...(myAddress === undefined ? {} : { myAddress }),
    ...(advertisedEndpoint === undefined ? {} : { advertisedEndpoint }),
    agencyEndpoints: all('cluster.agency-endpoint'),
    coordinators: all('cluster.coordinator'),
    ...(srvName === undefined ? {} : { srvName }),
    dnsServers: all('cluster.dns-server'),
    ...(keyfile === undefined ? {} : { ssl: Object.freeze({ keyfile: resolve(cwd, keyfile) }) }),
    sources: sourcesOf(chosen),
    help: switches.has('help'),
    version: switches.has('version'),
  });
}

function sourcesOf(chosen: ChosenValues): ServerOptions['sources'] {
  const sources: Partial<Record<ServerOptionName, readonly string[]>> = {
    'server.endpoint': Object.freeze(['default']),
    'cluster.my-role': Object.freeze(['default']),
  };
  for (const [name, values] of chosen) sources[name] = Object.freeze(values.map(({ place }) => sourceOf(place)));
  return Object.freeze(sources);
}
