import type { ServerRole } from '../options/role.js';

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
  /** `cluster.my-advertised-endpoint`: the endpoint given to clients instead of `myAddress`. */
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
  /** `cluster.agency-user`: the etcd user. The password is not an option. */
  readonly agencyUser?: string;
  /** `cluster.agency-cafile`: the absolute path of a PEM file with the CA certificates for etcd. */
  readonly agencyCafile?: string;
  /** `cluster.agency-keyfile`: the absolute path of a PEM file with the client certificate and its private key. */
  readonly agencyKeyfile?: string;
  /** `cluster.agency-prefix`: the prefix of the keys in etcd. */
  readonly agencyPrefix?: string;
  /** `cluster.agency-ttl`: seconds for which the registration outlives the server, 1 to 86400. */
  readonly agencyTtlSeconds?: number;
  /** `cluster.my-srv-name`: the DNS name whose SRV records list the Coordinators. */
  readonly srvName?: string;
  /** `cluster.srv-scheme`: the scheme of the endpoints from DNS. */
  readonly srvScheme?: 'tcp' | 'ssl';
  /**
   * `cluster.dns-server`: the DNS servers to query for that name.
   * @defaultValue those of the system
   */
  readonly dnsServers: readonly string[];
  /**
   * `cluster.upstream`: URLs of the servers whose listing to follow.
   * @defaultValue none
   */
  readonly upstreams: readonly string[];
  /** `cluster.upstream-database`: the database in which to request it. */
  readonly upstreamDatabase?: string;
  /** `cluster.upstream-cafile`: the absolute path of a PEM file with the CA certificates for them. */
  readonly upstreamCafile?: string;
  /** `cluster.upstream-keyfile`: the absolute path of a PEM file with the client certificate and its private key. */
  readonly upstreamKeyfile?: string;
  /**
   * `cluster.translate`: rules, each with the endpoint, or `*` for every other one, and the endpoint for clients.
   * @defaultValue none
   */
  readonly translations: readonly (readonly [from: string, to: string])[];
  /** `cluster.translate-unmatched`: what happens to an endpoint that no rule matches. */
  readonly translateUnmatched?: 'skip' | 'keep';
  /**
   * `horizon.NAME`: clients that get other addresses, in the order given; a client is in the first that it matches.
   * @defaultValue none
   */
  readonly horizons: readonly Horizon[];
  /**
   * `http.trusted-proxy`: the IP addresses and ranges of the proxies whose `X-Forwarded-For` and `X-Forwarded-Host` count.
   * @defaultValue none
   */
  readonly trustedProxies: readonly string[];
  /** `cluster.health-check`: whether to keep dead servers off the list. */
  readonly healthCheck?: boolean;
  /** `cluster.health-check-path`: the path to request, or `tcp` to only connect. */
  readonly healthCheckPath?: string;
  /** `cluster.health-check-interval`: seconds between two checks of an endpoint, 1 to 86400. */
  readonly healthCheckSeconds?: number;
  /** `cluster.health-check-cafile`: the absolute path of a PEM file with the CA certificates for the endpoints. */
  readonly healthCheckCafile?: string;
  /**
   * `cluster.health-check-allow`: the IP addresses and CIDR ranges to which checks may connect.
   * @defaultValue all
   */
  readonly healthCheckAllow: readonly string[];
  /** `cluster.wait`: seconds to retry a registry that is unreachable at startup, up to 86400. */
  readonly waitSeconds?: number;
  /** `ssl.keyfile`: the absolute path of a PEM file. The file is not opened here. */
  readonly ssl?: { readonly keyfile: string };
  /** `log.time`: whether a line of a text log begins with its time; without a value, unless journald adds one. */
  readonly logTime?: boolean;
  /** `log.format`: the format of the log. */
  readonly logFormat?: 'text' | 'json';
  /** `log.level`: the least severe level that is logged. */
  readonly logLevel?: 'error' | 'warn' | 'info' | 'debug';
  /** `shutdown-delay`: seconds to keep serving after leaving the list, up to 86400. */
  readonly shutdownDelaySeconds?: number;
  /**
   * `status.endpoint`: where to serve `GET /live`, `GET /ready` and `GET /metrics`.
   * @defaultValue nowhere
   */
  readonly statusEndpoints: readonly string[];
  /** `status.socket`: the absolute path of a socket file where to serve them, too. */
  readonly statusSocket?: string;
  /** `page`: whether to serve the listing page at `/`. */
  readonly page?: boolean;
  /**
   * Where each value came from: `command line`, `ENDPOINT_LISTING_SERVER_ENDPOINT`, `/etc/endpoints.conf:3` or `default`, one for each
   * value, in the same order.
   * An option without a value is not in it.
   */
  readonly sources: Readonly<Partial<Record<ServerOptionName | HorizonOptionName, readonly string[]>>>;
  /**
   * The given options that only the reference server uses: each name once, in order, without values.
   */
  readonly ignored: readonly string[];
  /** Whether `--help` was given: then nothing else was read, and all other fields have their defaults. */
  readonly help: boolean;
  /** Whether `--version` was given: the same. */
  readonly version: boolean;
}

/** Clients with addresses of their own. One matches if, of each kind of condition that is given, at least one holds. */
export interface Horizon {
  /** The part `NAME` of its options. */
  readonly name: string;
  /** `horizon.NAME.network`: IP addresses and ranges that the client may have. */
  readonly networks: readonly string[];
  /** `horizon.NAME.host`: names that it may ask for, as `Host` without the port. */
  readonly hosts: readonly string[];
  /** `horizon.NAME.endpoint`: which of `server.endpoint` it may come in by. */
  readonly endpoints: readonly string[];
  /** `horizon.NAME.translate`: as `cluster.translate`. */
  readonly translations: ServerOptions['translations'];
  /** `horizon.NAME.translate-unmatched`: as `cluster.translate-unmatched`. */
  readonly translateUnmatched?: 'skip' | 'keep';
}

/** The fields that an option sets. */
export type OptionField = Exclude<keyof ServerOptions, 'sources' | 'ignored' | 'help' | 'version'>;

/** The options for the command line, the environment and files. */
export type ServerOptionName =
  | 'server.endpoint'
  | 'ssl.keyfile'
  | 'cluster.my-role'
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
  | 'cluster.health-check'
  | 'cluster.health-check-path'
  | 'cluster.health-check-interval'
  | 'cluster.health-check-cafile'
  | 'cluster.health-check-allow'
  | 'cluster.translate'
  | 'cluster.translate-unmatched'
  | 'horizon.NAME.network'
  | 'horizon.NAME.host'
  | 'horizon.NAME.endpoint'
  | 'horizon.NAME.translate'
  | 'horizon.NAME.translate-unmatched'
  | 'http.trusted-proxy'
  | 'cluster.my-address'
  | 'cluster.my-advertised-endpoint'
  | 'cluster.wait'
  | 'shutdown-delay'
  | 'status.endpoint'
  | 'status.socket'
  | 'page'
  | 'log.format'
  | 'log.time'
  | 'log.level';

/** An option of a horizon, with its name: `horizon.inside.network`. */
export type HorizonOptionName = `horizon.${string}.${string}`;

/** The options that name a file with options, and so are not allowed in one. */
export type FileOptionName = 'configuration' | 'configuration-defaults';

/** The options with a value. */
export type ValueOptionName = ServerOptionName | FileOptionName;

/** The options that print something instead of starting a server. */
export type SwitchName = 'help' | 'version';

/** Every name after `--`. */
export type OptionName = ValueOptionName | SwitchName;

/** One option, for a help text. */
export interface OptionDescription {
  /** The name after `--`, and the dotted key in a file: `server.endpoint`. You choose a part `NAME`. */
  readonly name: OptionName;
  /** The letter after a single `-`. */
  readonly short?: string;
  /** The placeholder of the value in a help text: `ENDPOINT`. A switch has none. */
  readonly placeholder?: string;
  /** Whether each further value is added; otherwise the last one counts. */
  readonly repeatable: boolean;
  /** Whether it is refused in a file. */
  readonly commandLineOnly: boolean;
  /** One line. */
  readonly description: string;
  /** Its field in {@link ServerOptions}. */
  readonly field?: OptionField;
  /** When a server applies a change: at once, with a list that it can replace, or at a restart. */
  readonly reload?: 'at once' | 'with the list' | 'at a restart';
}
