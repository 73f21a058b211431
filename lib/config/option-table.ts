import type { CommandOption } from '../command-line/option.js';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type {
  FileOptionName,
  OptionDescription,
  OptionField,
  OptionName,
  ServerOptionName,
  ServerOptions,
} from './server-options.js';
import * as read from './value-readers.js';

/** An option: how to read its value, its field, and when a change takes effect. */
export interface ServerOption extends CommandOption {
  readonly field: OptionField;
  readonly placeholder: string;
  readonly read: read.ValueReader<unknown>;
  readonly reload: NonNullable<OptionDescription['reload']>;
  /** The value of an option that is not given; a list is empty. */
  readonly fallback?: unknown;
  /** Whether it refuses, as lists do, a value that an unset variable has made empty. */
  readonly mustNotVanish?: boolean;
  /** Whether a value is valid for the reference server only, and skipped here. */
  readonly ignores?: (text: string) => boolean;
}

type ValueOf<Field extends OptionField> =
  NonNullable<ServerOptions[Field]> extends readonly (infer Item)[] ? Item : NonNullable<ServerOptions[Field]>;

function option<Field extends OptionField>(
  field: Field,
  row: Omit<ServerOption, 'field' | 'reload'> & {
    readonly read: read.ValueReader<ValueOf<Field>>;
    readonly fallback?: ServerOptions[Field];
    /** Most options are about the list. */
    readonly reload?: ServerOption['reload'];
  },
): ServerOption {
  return { field, reload: 'with the list', ...row };
}

/** Several options make one horizon. */
function ofHorizon(row: Omit<ServerOption, 'field' | 'reload'>): ServerOption {
  return { field: 'horizons', reload: 'with the list', ...row };
}

const MAX_SECONDS = 86_400;

/**
 * The options of a file, of the environment and of the command line, in the order of a help text. Everything else is derived from this
 * table: a new option is a row here, and its field in {@link ServerOptions}.
 */
export const TABLE: Readonly<Record<ServerOptionName, ServerOption>> = {
  'server.endpoint': option('endpoints', {
    placeholder: 'ENDPOINT',
    description: 'listen here (default: tcp://127.0.0.1:8529); port 0: any free port',
    repeatable: true,
    read: read.endpoint,
    reload: 'at a restart',
    fallback: ['tcp://127.0.0.1:8529'],
  }),
  'ssl.keyfile': option('ssl', {
    placeholder: 'FILE',
    description: 'PEM file with the certificate chain and the private key for ssl:// endpoints',
    read: (text, cwd) => Object.freeze({ keyfile: read.file(text, cwd) }),
    reload: 'at a restart',
  }),
  'cluster.my-role': option('role', {
    placeholder: 'ROLE',
    description: 'SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)',
    read: read.role,
    mustNotVanish: true,
    fallback: 'single',
  }),
  'cluster.coordinator': option('coordinators', {
    placeholder: 'ENDPOINT',
    description: 'list this Coordinator (a fixed list)',
    repeatable: true,
    read: coordinatorEndpoint,
  }),
  'cluster.agency-endpoint': option('agencyEndpoints', {
    placeholder: 'URL',
    description: 'list the Coordinators registered in this etcd',
    repeatable: true,
    read: read.agencyEndpoint,
  }),
  'cluster.agency-user': option('agencyUser', {
    placeholder: 'NAME',
    description: 'etcd user; set the password in ENDPOINT_LISTING_AGENCY_PASSWORD',
    read: read.printableText('a user name'),
  }),
  'cluster.agency-cafile': option('agencyCafile', {
    placeholder: 'FILE',
    description: "PEM file with the authority that signed etcd's certificate",
    read: read.file,
  }),
  'cluster.agency-keyfile': option('agencyKeyfile', {
    placeholder: 'FILE',
    description: 'PEM file with a client certificate for etcd and its private key',
    read: read.file,
  }),
  'cluster.agency-prefix': option('agencyPrefix', {
    placeholder: 'TEXT',
    description: 'prefix of the keys in etcd (default: /coordinators/)',
    read: read.printableText('a prefix'),
  }),
  'cluster.agency-ttl': option('agencyTtlSeconds', {
    placeholder: 'SECONDS',
    description: 'how long etcd keeps listing this server after it dies (default: 15)',
    read: read.seconds(1, MAX_SECONDS),
  }),
  'cluster.my-srv-name': option('srvName', {
    placeholder: 'NAME',
    description: 'list the Coordinators in the SRV records of this name',
    read: read.srvName,
  }),
  'cluster.srv-scheme': option('srvScheme', {
    placeholder: 'SCHEME',
    description: 'scheme of the endpoints from DNS, tcp or ssl (default: tcp)',
    read: read.oneWordOf('a scheme', { tcp: 'tcp', ssl: 'ssl' } as const),
  }),
  'cluster.dns-server': option('dnsServers', {
    placeholder: 'ADDRESS',
    description: 'DNS server to ask for the SRV name (default: those of the system)',
    repeatable: true,
    read: read.dnsServer,
  }),
  'cluster.upstream': option('upstreams', {
    placeholder: 'URL',
    description:
      'follow the listing of this server; set its Authorization header in ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION',
    repeatable: true,
    read: read.upstream,
  }),
  'cluster.upstream-database': option('upstreamDatabase', {
    placeholder: 'NAME',
    description: 'database of the upstream to ask in (default: none)',
    read: read.database,
  }),
  'cluster.upstream-cafile': option('upstreamCafile', {
    placeholder: 'FILE',
    description: "PEM file with the authority that signed the upstream's certificate",
    read: read.file,
  }),
  'cluster.upstream-keyfile': option('upstreamKeyfile', {
    placeholder: 'FILE',
    description: 'PEM file with a client certificate for the upstream and its private key',
    read: read.file,
  }),
  'cluster.health-check': option('healthCheck', {
    placeholder: 'BOOL',
    description: 'true to keep dead endpoints off the list (default: false)',
    read: read.boolean,
  }),
  'cluster.health-check-path': option('healthCheckPath', {
    placeholder: 'PATH',
    description: 'path to GET, or tcp to connect only (default: /_admin/server/availability)',
    read: read.healthCheckPath,
  }),
  'cluster.health-check-interval': option('healthCheckSeconds', {
    placeholder: 'SECONDS',
    description: 'time between two checks of an endpoint (default: 5)',
    read: read.seconds(1, MAX_SECONDS),
  }),
  'cluster.health-check-cafile': option('healthCheckCafile', {
    placeholder: 'FILE',
    description: 'PEM file with the authority that signed the certificates of ssl:// endpoints',
    read: read.file,
  }),
  'cluster.health-check-allow': option('healthCheckAllow', {
    placeholder: 'RANGE',
    description: 'IP range that checks may connect to, as 10.0.0.0/8 (default: any)',
    repeatable: true,
    read: read.addressRange,
  }),
  'cluster.translate': option('translations', {
    placeholder: 'FROM=TO',
    description: 'list TO instead of FROM, a missing port is 8529; * as FROM matches every other endpoint',
    repeatable: true,
    read: read.translation,
  }),
  'cluster.translate-unmatched': option('translateUnmatched', {
    placeholder: 'WHAT',
    description: 'skip or keep endpoints that no rule matches (default: skip)',
    read: read.unmatched,
  }),
  'horizon.NAME.network': ofHorizon({
    placeholder: 'RANGE',
    description: 'clients in this IP range are in the horizon NAME: what it translates is for them',
    repeatable: true,
    read: read.addressRange,
  }),
  'horizon.NAME.host': ofHorizon({
    placeholder: 'HOST',
    description: 'so are clients that ask for this host, which they can choose',
    repeatable: true,
    read: read.requestedHost,
  }),
  'horizon.NAME.endpoint': ofHorizon({
    placeholder: 'ENDPOINT',
    description: 'so are clients of this server.endpoint; a client must match each kind of condition that is given',
    repeatable: true,
    read: read.endpoint,
  }),
  'horizon.NAME.translate': ofHorizon({
    placeholder: 'FROM=TO',
    description: 'as cluster.translate, in this horizon instead',
    repeatable: true,
    read: read.translation,
  }),
  'horizon.NAME.translate-unmatched': ofHorizon({
    placeholder: 'WHAT',
    description: 'as cluster.translate-unmatched, in this horizon instead',
    read: read.unmatched,
  }),
  'http.trusted-proxy': option('trustedProxies', {
    placeholder: 'RANGE',
    description:
      'for horizons, believe X-Forwarded-For and X-Forwarded-Host of proxies in this IP range (default: none)',
    repeatable: true,
    read: read.trustedProxy,
  }),
  'cluster.my-address': option('myAddress', {
    placeholder: 'ENDPOINT',
    description: 'the endpoint under which this server registers',
    read: coordinatorEndpoint,
  }),
  'cluster.my-advertised-endpoint': option('advertisedEndpoint', {
    placeholder: 'ENDPOINT',
    description: 'the endpoint that clients get instead of my-address',
    read: coordinatorEndpoint,
  }),
  'cluster.wait': option('waitSeconds', {
    placeholder: 'SECONDS',
    description: 'retry for this long if the registry or the upstream does not answer at startup (default: 0)',
    read: read.seconds(0, MAX_SECONDS),
    reload: 'at once',
  }),
  'shutdown-delay': option('shutdownDelaySeconds', {
    placeholder: 'SECONDS',
    description: 'keep serving for this long after leaving the list (default: 0)',
    read: read.seconds(0, MAX_SECONDS),
    reload: 'at once',
  }),
  'status.endpoint': option('statusEndpoints', {
    placeholder: 'ENDPOINT',
    description: 'answer GET /live, GET /ready and GET /metrics here (default: nowhere)',
    repeatable: true,
    read: read.endpoint,
    reload: 'at a restart',
  }),
  'status.socket': option('statusSocket', {
    placeholder: 'FILE',
    description: 'answer the same at this socket file, where alive asks (default: nowhere)',
    read: read.file,
    reload: 'at a restart',
  }),
  page: option('page', {
    placeholder: 'BOOL',
    description: 'true: show the listings to people, at /; put authentication before it (default: false)',
    read: read.boolean,
    reload: 'at a restart',
  }),
  'log.format': option('logFormat', {
    placeholder: 'FORMAT',
    description: 'text, or json: one JSON object for each event (default: text)',
    read: read.oneWordOf('a log format', { text: 'text', json: 'json' } as const),
    reload: 'at once',
  }),
  'log.time': option('logTime', {
    placeholder: 'BOOL',
    description: 'whether a line of text begins with its time (default: unless journald adds one)',
    read: read.boolean,
    reload: 'at once',
  }),
  'log.level': option('logLevel', {
    placeholder: 'LEVEL',
    description: 'least severe level to log: error, warn, info or debug (default: info)',
    read: read.oneWordOf('a log level', {
      error: 'error',
      warn: 'warn',
      info: 'info',
      debug: 'debug',
      // The wording of the reference server.
      fatal: 'error',
      warning: 'warn',
      trace: 'debug',
    } as const),
    reload: 'at once',
    // The level of one topic of the reference server: `requests=trace`.
    ignores: (text) => text.includes('='),
  }),
};

export const ROWS = Object.entries(TABLE) as readonly (readonly [ServerOptionName, ServerOption])[];

const FILE_NAME = {
  placeholder: 'FILE',
  mustNotVanish: true,
  // `none` is not a file name.
  read: (text: string, cwd: string) => (isNone(text) ? text : read.file(text, cwd)),
};

export const FILES: Readonly<Record<FileOptionName, Omit<ServerOption, 'field' | 'reload'>>> = {
  // The alias of the reference server.
  configuration: { ...FILE_NAME, short: 'c', alias: 'config', description: 'read this file, or none' },
  'configuration-defaults': {
    ...FILE_NAME,
    description: 'read this file behind it: what is given anywhere else replaces what it says (default: none)',
  },
};

/** Whether a file name means that no file is read. */
export function isNone(name: string): boolean {
  return name.toLowerCase() === 'none';
}

/** All options of the command line. */
export const COMMAND_LINE: Readonly<Record<OptionName, CommandOption>> = {
  ...TABLE,
  ...FILES,
  help: { short: 'h', description: 'print this text' },
  version: { description: 'print the version' },
};

/** All options, in the order of a help text. */
export const SERVER_OPTIONS: readonly OptionDescription[] = Object.freeze(
  (Object.entries(COMMAND_LINE) as [OptionName, CommandOption & Partial<ServerOption>][]).map(
    ([name, { short, placeholder, description, repeatable = false, field, reload }]) =>
      Object.freeze({
        name,
        ...(short !== undefined && { short }),
        ...(placeholder !== undefined && { placeholder }),
        repeatable,
        commandLineOnly: field === undefined,
        description,
        ...(field !== undefined && { field }),
        ...(reload !== undefined && { reload }),
      }),
  ),
);
