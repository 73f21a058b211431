/** The options that may stand in a file as well as on the command line. */
export type ServerOptionName =
  | 'server.endpoint'
  | 'cluster.my-role'
  | 'cluster.my-address'
  | 'cluster.my-advertised-endpoint'
  | 'cluster.agency-endpoint'
  | 'cluster.coordinator'
  | 'cluster.my-srv-name'
  | 'cluster.dns-server'
  | 'ssl.keyfile';

/** The options that carry a value. */
export type ValueOptionName = ServerOptionName | 'configuration';

/** What a command line may ask for in place of a running server. */
export type SwitchName = 'help' | 'version';

/** Every name that follows `--`. */
export type OptionName = ValueOptionName | SwitchName;

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
}

/** All options, in the order of a help text: the one table that command line, files and help are made from. */
export const SERVER_OPTIONS: readonly OptionDescription[] = Object.freeze([
  option('server.endpoint', 'listen here (default: tcp://127.0.0.1:8529)', 'ENDPOINT', { repeatable: true }),
  option('ssl.keyfile', 'PEM file with the certificate chain and the private key for ssl:// endpoints', 'FILE'),
  option('cluster.my-role', 'SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)', 'ROLE'),
  option('cluster.coordinator', 'list this Coordinator: a fixed list', 'ENDPOINT', { repeatable: true }),
  option('cluster.agency-endpoint', 'list the Coordinators that are in this etcd', 'URL', { repeatable: true }),
  option('cluster.my-srv-name', 'list the Coordinators that this DNS SRV name has', 'NAME'),
  option('cluster.dns-server', 'ask this DNS server for the SRV name, not those of the system', 'ADDRESS', {
    repeatable: true,
  }),
  option('cluster.my-address', 'the endpoint under which this server registers', 'ENDPOINT'),
  option('cluster.my-advertised-endpoint', 'the endpoint that clients get in place of my-address', 'ENDPOINT'),
  option('configuration', 'read this file, or none', 'FILE'),
  option('help', 'print this text', undefined, { short: 'h' }),
  option('version', 'print the version'),
]);

function option(
  name: OptionName,
  description: string,
  placeholder?: string,
  { repeatable = false, short }: { repeatable?: boolean; short?: string } = {},
): OptionDescription {
  return Object.freeze({
    name,
    ...(short === undefined ? {} : { short }),
    ...(placeholder === undefined ? {} : { placeholder }),
    repeatable,
    commandLineOnly: !isServerOption(name),
    description,
  });
}

/** Whether the option may stand in a file. */
export function isServerOption(name: OptionName): name is ServerOptionName {
  return name !== 'configuration' && !isSwitch(name);
}

/** Whether the option takes no value. */
export function isSwitch(name: string): name is SwitchName {
  return name === 'help' || name === 'version';
}
