import { inOptionWords, helpLines, numberIn, type CommandOptions } from '../../command-line/option.js';
import { readCommand } from '../../command-line/read-command.js';
import { createReachOf } from '../../endpoint/address-range.js';
import { shown } from '../../text/shown.js';
import type { TestClusterOptions } from '../../testing/index.js';
import { secretFrom } from '../../command-line/secret-variables.js';

/** The parsed command line of `test-cluster`. */
export interface TestClusterArguments {
  readonly cluster: TestClusterOptions;
  readonly controlPort: number;
  /** Where the control API listens: where the coordinators do. */
  readonly host: string;
  readonly untilStdinCloses: boolean;
}

const OPTIONS = {
  coordinators: { placeholder: 'N', description: 'how many there are (default: one for each port, or 3)' },
  ports: {
    placeholder: 'FIRST-LAST',
    description: 'the ports of the coordinators, such as 8529-8531 (default: free ones)',
  },
  'control-port': { placeholder: 'PORT', description: 'the port of the control API (default: 0, a free one)' },
  ssl: { description: 'the coordinators speak TLS; the line has the certificate of the authority to trust' },
  user: {
    placeholder: 'NAME',
    description: 'ask clients for this user, and for the password in ENDPOINT_LISTING_PASSWORD',
  },
  database: {
    placeholder: 'NAME',
    description: 'a database that there is from the start, beside _system (default: none)',
  },
  'cluster-databases': {
    placeholder: 'WHICH',
    description: 'where the cluster route answers: system or any (default: system)',
  },
  'not-coordinator-status': {
    placeholder: 'STATUS',
    description: 'what a server that is no coordinator answers: 501 or 403 (default: 501)',
  },
  host: { placeholder: 'ADDRESS', description: 'the IP address to listen on (default: 127.0.0.1)' },
  'advertised-host': {
    placeholder: 'HOST',
    description: 'how clients reach the coordinators and the control API, where that is not the address',
  },
  'until-stdin-closes': { description: 'stop when its stdin is closed, and so with the process that started it' },
  help: { short: 'h', description: 'print this text' },
} as const satisfies CommandOptions;

/** The text of `test-cluster --help`. */
export function testClusterHelp(): string {
  return [
    'Usage: express-endpoint-listing test-cluster [options]',
    '',
    'Starts a cluster for tests of drivers, which can be broken over HTTP; it is not a database. When it is ready it prints one',
    'line of JSON: the URL of the control API, and the URLs and endpoints of the coordinators.',
    '',
    'Options:',
    ...helpLines(OPTIONS),
    '',
    'SIGINT, SIGTERM and SIGHUP stop it. The control API, described by testing.openapi.json in the package:',
    '  PUT /trouble                  sets one trouble, or an array of them, in place of those before',
    '  PUT /list, PUT /role          sets the list or the role',
    '  PUT /coordinators/0/stop      and /start, /freeze',
    '  POST /reset                   everything as it was at the start',
    '  GET /requests, GET /cluster, GET /trouble',
  ].join('\n');
}

/**
 * Reads the command line of `test-cluster`.
 *
 * @returns `undefined` for `--help`.
 * @throws Error with the problem in one line.
 */
export function testClusterArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TestClusterArguments | undefined {
  const { values, others, problem } = readCommand(args, OPTIONS);
  if (values.help === true) return undefined;
  const [other] = others;
  const wrong = problem ?? (other === undefined ? undefined : `unexpected argument ${shown(other)}`);
  if (wrong !== undefined) throw new Error(`${wrong} (see test-cluster --help)`);
  const { coordinators, ports, user, database, host, ssl = false } = values;
  const clusterDatabases = values['cluster-databases'];
  const notCoordinatorStatus = values['not-coordinator-status'];
  const advertisedHost = values['advertised-host'];
  if (host !== undefined && advertisedHost === undefined && createReachOf()(host) === 'wildcard') {
    throw new Error(`--host ${host} needs --advertised-host: clients cannot connect to a wildcard address`);
  }
  return {
    // startTestCluster checks the values.
    cluster: {
      ssl,
      ...(coordinators !== undefined && { coordinators: numberIn(coordinators) }),
      ...(ports !== undefined && { ports: portsOf(ports) }),
      ...(user !== undefined && { auth: { username: user, password: passwordOf(user, env) } }),
      ...(database !== undefined && { database }),
      ...(clusterDatabases !== undefined && { clusterDatabases: clusterDatabases as 'any' }),
      ...(notCoordinatorStatus !== undefined && { notCoordinatorStatus: numberIn(notCoordinatorStatus) as 501 }),
      ...(host !== undefined && { host }),
      ...(advertisedHost !== undefined && { advertisedHost }),
    },
    controlPort: controlPort(values['control-port'] ?? '0'),
    host: host ?? '127.0.0.1',
    untilStdinCloses: values['until-stdin-closes'] === true,
  };
}

/** The cluster's messages about its options, reworded for the command line. */
export function inWordsOfCommand({ message }: Error): string {
  return inOptionWords(message, OPTIONS);
}

/** Never from the command line, which every user of a machine can read. */
function passwordOf(user: string, env: Readonly<Record<string, string | undefined>>): string {
  const password = secretFrom(env, 'ENDPOINT_LISTING_PASSWORD');
  if (password === undefined) throw new Error(`no password for ${user}: set ENDPOINT_LISTING_PASSWORD`);
  return password;
}

function portsOf(text: string): number[] {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  // startTestCluster checks the ports.
  if (count > 0 && count <= 100) return Array.from({ length: count }, (_, index) => Number(first) + index);
  throw new Error(`--ports must be up to 100 ports, such as 8529-8531, got "${text}"`);
}

function controlPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`--control-port must be a port from 0 to 65535, got "${text}"`);
}
