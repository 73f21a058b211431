import { helpLines } from '../command-line/option.js';
import { SERVER_OPTIONS } from '../config/index.js';
import { SCHEMES, type Endpoint } from '../endpoint/endpoint.js';
import type { ServerRole } from '../options/role.js';
import { parseEndpoint } from '../index.js';

/** The version of this package; a test compares it with package.json. */
export const VERSION = '0.1.0';

/** The text of `--help`, from the table that also reads the command line. */
export function helpText(): string {
  return [
    'Usage: express-endpoint-listing [options]',
    '       express-endpoint-listing check [options] <URL>   tries every endpoint that a server lists; see check --help',
    '       express-endpoint-listing test-cluster [options]  starts a cluster that tests can break; see test-cluster --help',
    '       express-endpoint-listing alive [options]         asks whether a server still answers; see alive --help',
    '',
    'Serves the endpoints that this server, or its cluster, listens on:',
    '  GET /_api/endpoint           the endpoints of this server (deprecated)',
    '  GET /_api/cluster/endpoints  the endpoints of all Coordinators, on a coordinator',
    '',
    'Options:',
    ...helpLines(Object.fromEntries(SERVER_OPTIONS.map((option) => [option.name, option]))),
    '',
    'An option may also come from the environment or from a file. Its variable is ENDPOINT_LISTING_ and its name in capitals, with _',
    'for dots and dashes: ENDPOINT_LISTING_SERVER_ENDPOINT. A list has blanks between its values. The command line comes before the',
    'environment, that before the file; an empty value takes an option back to its default.',
    '',
    'Signals: SIGHUP reloads the configuration, SIGINT and SIGTERM stop the server.',
  ].join('\n');
}

/** How a server that listens on a wildcard address is reached from its own machine. */
const LOCAL: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
]);

/** The output of a server once it is ready: its role, where it listens, and a line to try. */
export function announcement(role: ServerRole, endpoints: readonly string[]): string {
  const path = role === 'coordinator' ? '/_api/cluster/endpoints' : '/_api/endpoint';
  return [
    `express-endpoint-listing ${VERSION}, ${role}, listening on:`,
    ...endpoints.map((endpoint) => `  ${endpoint}`),
    `try: curl ${endpoints
      .slice(0, 1)
      .map((endpoint) => curlTarget(endpoint, path))
      .join('')}`,
  ].join('\n');
}

function curlTarget(endpoint: string, route: string): string {
  const parsed = parseEndpoint(endpoint);
  const { isSocketFile, isTls } = SCHEMES[parsed.scheme];
  if (isSocketFile) return `--unix-socket ${String(parsed.path)} http://localhost${route}`;
  return `${isTls ? '--insecure ' : ''}${localUrl(parsed)}${route}`;
}

/** The URL, without a path, under which this machine reaches one of its own endpoints. */
export function localUrl({ scheme, host, port }: Endpoint): string {
  const address = LOCAL.get(host) ?? (host.includes(':') ? `[${host}]` : host);
  return `${SCHEMES[scheme].shownAs}://${address}:${String(port)}`;
}
