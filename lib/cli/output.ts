import { SERVER_OPTIONS, type OptionDescription } from '../config/index.js';
import { SCHEMES } from '../endpoint/endpoint.js';
import type { ServerRole } from '../options/role.js';
import { parseEndpoint } from '../index.js';

/** The version of this package; a test compares it with package.json. */
export const VERSION = '0.1.0';

/** The text of `--help`, made from the table that the command line itself is read by. */
export function helpText(): string {
  const rows = SERVER_OPTIONS.map((option) => [usageOf(option), explanationOf(option)] as const);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return [
    'Usage: express-endpoint-listing [options]',
    '       express-endpoint-listing check [options] <URL>   tries every endpoint that a server lists; see check --help',
    '       express-endpoint-listing test-cluster [options]  starts a cluster that tests can break; see test-cluster --help',
    '',
    'Serves the endpoints that this server, or its cluster, listens on:',
    '  GET /_api/endpoint           the endpoints of this server (deprecated)',
    '  GET /_api/cluster/endpoints  the endpoints of all Coordinators, on a coordinator',
    '',
    'Options:',
    ...rows.map(([usage, explanation]) => `  ${usage.padEnd(width)}  ${explanation}`),
    '',
    'Signals: SIGHUP reloads the configuration, SIGINT and SIGTERM stop the server.',
  ].join('\n');
}

function usageOf({ name, short, placeholder }: OptionDescription): string {
  return [
    short === undefined ? '' : `-${short}, `,
    `--${name}`,
    placeholder === undefined ? '' : ` ${placeholder}`,
  ].join('');
}

function explanationOf({ description, repeatable }: OptionDescription): string {
  return repeatable ? `${description}; may be repeated` : description;
}

/** How a server that listens on a wildcard address is reached from its own machine. */
const LOCAL: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
]);

/** What a server prints once it is ready: what it is, where it listens, and a line to try. */
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
  const { scheme, host, port, path = '' } = parseEndpoint(endpoint);
  const { isSocketFile, isTls, shownAs } = SCHEMES[scheme];
  if (isSocketFile) return `--unix-socket ${path} http://localhost${route}`;
  const address = LOCAL.get(host) ?? (host.includes(':') ? `[${host}]` : host);
  return `${isTls ? '--insecure ' : ''}${shownAs}://${address}:${String(port)}${route}`;
}
