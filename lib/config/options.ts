import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { ServerRole } from '../options/role.js';
import * as read from './value-readers.js';

/** The options that may stand in a file as well as on the command line. */
export type ServerOptionName =
  | 'server.endpoint'
  | 'cluster.my-role'
  | 'cluster.my-address'
  | 'cluster.my-advertised-endpoint'
  | 'cluster.coordinator'
  | 'cluster.agency-endpoint'
  | 'cluster.agency-user'
  | 'cluster.agency-cafile'
  | 'cluster.agency-keyfile'
  | 'cluster.agency-prefix'
  | 'cluster.agency-ttl'
  | 'cluster.my-srv-name'
  | 'cluster.srv-scheme'
  | 'cluster.dns-server'
  | 'cluster.upstream'
  | 'cluster.upstream-database'
  | 'cluster.upstream-cafile'
  | 'cluster.upstream-keyfile'
  | 'cluster.translate'
  | 'cluster.translate-unmatched'
  | 'cluster.health-check'
  | 'cluster.health-check-path'
  | 'cluster.health-check-interval'
  | 'cluster.health-check-cafile'
  | 'cluster.health-check-allow'
  | 'cluster.wait'
  | 'ssl.keyfile'
  | 'log.format'
  | 'log.level'
  | 'shutdown-delay'
  | 'status.endpoint'
  | 'page';

/** The options that carry a value. */
export type ValueOptionName = ServerOptionName | 'configuration';

/** What a command line may ask for instead of a running server. */
export type SwitchName = 'help' | 'version';

/** Every name that follows `--`. */
export type OptionName = ValueOptionName | SwitchName;

/** The options of a server. Frozen; endpoints are canonical, each once, in the order in which they were given. */
export interface ServerOptions {
  /**
   * Where to listen: `server.endpoint`. With port 0 the system chooses the port.
   * @defaultValue `'tcp://127.0.0.1:8529'`
   */
  readonly endpoints: readonly string[];
  /**
   * `cluster.my-role`.
   * @defaultValue `'single'`
   */
  readonly role: ServerRole;
  /** `cluster.my-address`: the endpoint under which the server registers. */
  readonly myAddress?: string;
  /** `cluster.my-advertised-endpoint`: what clients get in place of `myAddress`. */
  readonly advertisedEndpoint?: string;
  /**
   * `cluster.coordinator`: the fixed list of Coordinators.
   * @defaultValue none
   */
  readonly coordinators: readonly string[];
  /**
   * `cluster.agency-endpoint`: addresses of etcd's gateway, with `http` or `https`.
   * @defaultValue none
   */
  readonly agencyEndpoints: readonly string[];
  /** `cluster.agency-user`: the etcd user. The password is no option. */
  readonly agencyUser?: string;
  /** `cluster.agency-cafile`: the absolute path of a PEM file with the authority of etcd's certificates. */
  readonly agencyCafile?: string;
  /** `cluster.agency-keyfile`: the absolute path of a PEM file with the client certificate and its private key. */
  readonly agencyKeyfile?: string;
  /** `cluster.agency-prefix`: what the keys in etcd begin with. */
  readonly agencyPrefix?: string;
  /** `cluster.agency-ttl`: how many seconds the registration outlives the server, 1 to 86400. */
  readonly agencyTtlSeconds?: number;
  /** `cluster.my-srv-name`: the DNS name whose SRV records list the Coordinators. */
  readonly srvName?: string;
  /** `cluster.srv-scheme`: the scheme of the endpoints from DNS. */
  readonly srvScheme?: 'tcp' | 'ssl';
  /**
   * `cluster.dns-server`: the DNS servers to ask for that name.
   * @defaultValue those of the system
   */
  readonly dnsServers: readonly string[];
  /**
   * `cluster.upstream`: URLs of servers whose listing is followed.
   * @defaultValue none
   */
  readonly upstreams: readonly string[];
  /** `cluster.upstream-database`: the database in which they are asked. */
  readonly upstreamDatabase?: string;
  /** `cluster.upstream-cafile`: the absolute path of a PEM file with the authority of their certificates. */
  readonly upstreamCafile?: string;
  /** `cluster.upstream-keyfile`: the absolute path of a PEM file with the client certificate and its private key. */
  readonly upstreamKeyfile?: string;
  /**
   * `cluster.translate`: rules, each as `<endpoint>=<endpoint for clients>` or `*=<endpoint>`.
   * @defaultValue none
   */
  readonly translations: readonly string[];
  /** `cluster.translate-unmatched`: what becomes of an endpoint that no rule names. */
  readonly translateUnmatched?: 'skip' | 'keep';
  /** `cluster.health-check`: whether the dead are kept off the list. */
  readonly healthCheck?: boolean;
  /** `cluster.health-check-path`: what is asked for, or `tcp` when a connection is enough. */
  readonly healthCheckPath?: string;
  /** `cluster.health-check-interval`: seconds between two checks of an endpoint, 1 to 86400. */
  readonly healthCheckSeconds?: number;
  /** `cluster.health-check-cafile`: the absolute path of a PEM file with the authority of the endpoints' certificates. */
  readonly healthCheckCafile?: string;
  /**
   * `cluster.health-check-allow`: the IP addresses and CIDR ranges to which checks may connect.
   * @defaultValue all
   */
  readonly healthCheckAllow: readonly string[];
  /** `cluster.wait`: how many seconds to retry a registry that is unreachable at startup, up to 86400. */
  readonly waitSeconds?: number;
  /** `ssl.keyfile`: the absolute path of a PEM file. The file is not opened here. */
  readonly ssl?: { readonly keyfile: string };
  /** `log.format`: how the log is written. */
  readonly logFormat?: 'text' | 'json';
  /** `log.level`: the least severe level that is logged. */
  readonly logLevel?: 'error' | 'warn' | 'info' | 'debug';
  /** `shutdown-delay`: how many seconds to keep serving after leaving the list, up to 86400. */
  readonly shutdownDelaySeconds?: number;
  /**
   * `status.endpoint`: where `GET /ready` and `GET /metrics` are answered.
   * @defaultValue nowhere
   */
  readonly statusEndpoints: readonly string[];
  /** `page`: whether the server shows its listings to people, at `/`. */
  readonly page?: boolean;
  /**
   * Where each value came from: `command line`, `/etc/endpoints.conf:3` or `default`, one for each value, in the same order.
   * An option without a value is not in it.
   */
  readonly sources: Readonly<Partial<Record<ServerOptionName, readonly string[]>>>;
  /**
   * The given options that only the reference server uses: each name once, in the order in which they were found, never with
   * a value.
   */
  readonly ignored: readonly string[];
  /** Whether `--help` was given: then nothing else was read, and all other fields have their defaults. */
  readonly help: boolean;
  /** Whether `--version` was given: the same. */
  readonly version: boolean;
}

/** The fields that an option sets. */
export type OptionField = Exclude<keyof ServerOptions, 'sources' | 'ignored' | 'help' | 'version'>;

/** One option, as a help text shows it. */
export interface OptionDescription {
  /** The name behind `--`, and the dotted key in a file: `server.endpoint`. */
  readonly name: OptionName;
  /** The one letter that stands for it behind a single `-`. */
  readonly short?: string;
  /** The word that stands for the value in a help text: `ENDPOINT`. A switch has none, for it takes no value. */
  readonly placeholder?: string;
  /** Whether each further value is added; otherwise the last one counts. */
  readonly repeatable: boolean;
  /** Whether it is refused in a file. */
  readonly commandLineOnly: boolean;
  /** One line. */
  readonly description: string;
  /** The field of {@link ServerOptions} that has its value. */
  readonly field?: OptionField;
}

/** How the value of one option is read, and where it goes. */
export interface ServerOption {
  readonly name: ServerOptionName;
  readonly field: OptionField;
  readonly placeholder: string;
  readonly description: string;
  readonly repeatable: boolean;
  /** Whether an empty value is refused, instead of leaving the option unset. */
  readonly needsValue: boolean;
  readonly read: read.ValueReader<unknown>;
  /** Whether a value is valid for the reference server only, and skipped here. */
  readonly ignores?: (text: string) => boolean;
}

/** A list's item, or the value itself. */
type ValueOf<Field extends OptionField> =
  NonNullable<ServerOptions[Field]> extends readonly (infer Item)[] ? Item : NonNullable<ServerOptions[Field]>;

function option<Field extends OptionField>(
  name: ServerOptionName,
  field: Field,
  [placeholder, description]: readonly [string, string],
  reader: read.ValueReader<ValueOf<Field>>,
  more: Partial<Pick<ServerOption, 'repeatable' | 'needsValue' | 'ignores'>> = {},
): ServerOption {
  return { name, field, placeholder, description, repeatable: false, needsValue: false, read: reader, ...more };
}

const LIST = { repeatable: true, needsValue: true };
const MAX_SECONDS = 86_400;

/** The options of a file and of the command line, in the order of a help text. Everything else is derived from this table. */
export const TABLE: readonly ServerOption[] = [
  option(
    'server.endpoint',
    'endpoints',
    ['ENDPOINT', 'listen here (default: tcp://127.0.0.1:8529); port 0: any free port'],
    read.endpoint,
    LIST,
  ),
  option(
    'ssl.keyfile',
    'ssl',
    ['FILE', 'PEM file with the certificate chain and the private key for ssl:// endpoints'],
    (text, cwd) => Object.freeze({ keyfile: read.file(text, cwd) }),
  ),
  option(
    'cluster.my-role',
    'role',
    ['ROLE', 'SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)'],
    read.role,
    { needsValue: true },
  ),
  option(
    'cluster.coordinator',
    'coordinators',
    ['ENDPOINT', 'list this Coordinator (a fixed list)'],
    coordinatorEndpoint,
    LIST,
  ),
  option(
    'cluster.agency-endpoint',
    'agencyEndpoints',
    ['URL', 'list the Coordinators registered in this etcd'],
    read.agencyEndpoint,
    LIST,
  ),
  option(
    'cluster.agency-user',
    'agencyUser',
    ['NAME', 'etcd user; set the password in ENDPOINT_LISTING_AGENCY_PASSWORD'],
    read.printableText('a user name'),
  ),
  option(
    'cluster.agency-cafile',
    'agencyCafile',
    ['FILE', "PEM file with the authority that signed etcd's certificate"],
    read.file,
  ),
  option(
    'cluster.agency-keyfile',
    'agencyKeyfile',
    ['FILE', 'PEM file with a client certificate for etcd and its private key'],
    read.file,
  ),
  option(
    'cluster.agency-prefix',
    'agencyPrefix',
    ['TEXT', 'prefix of the keys in etcd (default: /coordinators/)'],
    read.printableText('a prefix'),
  ),
  option(
    'cluster.agency-ttl',
    'agencyTtlSeconds',
    ['SECONDS', 'how long etcd keeps listing this server after it dies (default: 15)'],
    read.seconds(1, MAX_SECONDS),
  ),
  option(
    'cluster.my-srv-name',
    'srvName',
    ['NAME', 'list the Coordinators in the SRV records of this name'],
    read.srvName,
  ),
  option(
    'cluster.srv-scheme',
    'srvScheme',
    ['SCHEME', 'scheme of the endpoints from DNS, tcp or ssl (default: tcp)'],
    read.oneWordOf('a scheme', { tcp: 'tcp', ssl: 'ssl' } as const),
  ),
  option(
    'cluster.dns-server',
    'dnsServers',
    ['ADDRESS', 'DNS server to ask for the SRV name (default: those of the system)'],
    read.dnsServer,
    LIST,
  ),
  option(
    'cluster.upstream',
    'upstreams',
    [
      'URL',
      'follow the listing of this server; set its Authorization header in ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION',
    ],
    read.upstream,
    LIST,
  ),
  option(
    'cluster.upstream-database',
    'upstreamDatabase',
    ['NAME', 'database of the upstream to ask in (default: none)'],
    read.database,
  ),
  option(
    'cluster.upstream-cafile',
    'upstreamCafile',
    ['FILE', "PEM file with the authority that signed the upstream's certificate"],
    read.file,
  ),
  option(
    'cluster.upstream-keyfile',
    'upstreamKeyfile',
    ['FILE', 'PEM file with a client certificate for the upstream and its private key'],
    read.file,
  ),
  option(
    'cluster.health-check',
    'healthCheck',
    ['BOOLEAN', 'true to keep dead endpoints off the list (default: false)'],
    read.oneWordOf('a boolean', { true: true, false: false, on: true, off: false, yes: true, no: false }),
  ),
  option(
    'cluster.health-check-path',
    'healthCheckPath',
    ['PATH', 'path to GET, or tcp to connect only (default: /_admin/server/availability)'],
    read.healthCheckPath,
  ),
  option(
    'cluster.health-check-interval',
    'healthCheckSeconds',
    ['SECONDS', 'time between two checks of an endpoint (default: 5)'],
    read.seconds(1, MAX_SECONDS),
  ),
  option(
    'cluster.health-check-cafile',
    'healthCheckCafile',
    ['FILE', 'PEM file with the authority that signed the certificates of ssl:// endpoints'],
    read.file,
  ),
  option(
    'cluster.health-check-allow',
    'healthCheckAllow',
    ['RANGE', 'IP range that checks may connect to, as 10.0.0.0/8 (default: any)'],
    read.addressRange,
    LIST,
  ),
  option(
    'cluster.translate',
    'translations',
    ['FROM=TO', 'list TO instead of FROM, a missing port is 8529; * as FROM matches every other endpoint'],
    read.translation,
    LIST,
  ),
  option(
    'cluster.translate-unmatched',
    'translateUnmatched',
    ['WHAT', 'skip or keep endpoints that no rule matches (default: skip)'],
    read.oneWordOf('what becomes of an endpoint', { skip: 'skip', keep: 'keep' } as const),
  ),
  option(
    'cluster.my-address',
    'myAddress',
    ['ENDPOINT', 'the endpoint under which this server registers'],
    coordinatorEndpoint,
  ),
  option(
    'cluster.my-advertised-endpoint',
    'advertisedEndpoint',
    ['ENDPOINT', 'the endpoint that clients get instead of my-address'],
    coordinatorEndpoint,
  ),
  option(
    'cluster.wait',
    'waitSeconds',
    ['SECONDS', 'retry for this long if the registry or the upstream does not answer at startup (default: 0)'],
    read.seconds(0, MAX_SECONDS),
  ),
  option(
    'shutdown-delay',
    'shutdownDelaySeconds',
    ['SECONDS', 'keep serving for this long after leaving the list (default: 0)'],
    read.seconds(0, MAX_SECONDS),
  ),
  option(
    'status.endpoint',
    'statusEndpoints',
    ['ENDPOINT', 'answer GET /ready and GET /metrics here (default: nowhere)'],
    read.endpoint,
    LIST,
  ),
  option(
    'page',
    'page',
    ['BOOL', 'true: show the listings to people, at /; put authentication before it (default: false)'],
    read.oneWordOf('true or false', { true: true, false: false }),
  ),
  option(
    'log.format',
    'logFormat',
    ['FORMAT', 'text, or json: one JSON object for each event (default: text)'],
    read.oneWordOf('a log format', { text: 'text', json: 'json' } as const),
  ),
  option(
    'log.level',
    'logLevel',
    ['LEVEL', 'least severe level to log: error, warn, info or debug (default: info)'],
    read.oneWordOf('a log level', {
      error: 'error',
      warn: 'warn',
      info: 'info',
      debug: 'debug',
      // The words of the reference server.
      fatal: 'error',
      warning: 'warn',
      trace: 'debug',
    } as const),
    // The level of one topic of the reference server: `requests=trace`.
    { ignores: (text) => text.includes('=') },
  ),
];

/** All options, in the order of a help text. */
export const SERVER_OPTIONS: readonly OptionDescription[] = Object.freeze([
  ...TABLE.map(({ name, field, placeholder, description, repeatable }) =>
    Object.freeze({ name, placeholder, repeatable, commandLineOnly: false, description, field }),
  ),
  commandLineOption('configuration', 'read this file, or none', { short: 'c', placeholder: 'FILE' }),
  commandLineOption('help', 'print this text', { short: 'h' }),
  commandLineOption('version', 'print the version'),
]);

function commandLineOption(
  name: OptionName,
  description: string,
  more: Pick<OptionDescription, 'short' | 'placeholder'> = {},
): OptionDescription {
  return Object.freeze({ name, ...more, repeatable: false, commandLineOnly: true, description });
}

/** Whether the option takes no value. */
export function isSwitch(name: OptionName): name is SwitchName {
  return name === 'help' || name === 'version';
}
