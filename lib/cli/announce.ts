import type { ServerRole } from '../endpoint/role.js';
import { parseEndpoint } from '../index.js';
import { VERSION } from './version.js';

const SCHEMES = { tcp: 'http', ssl: 'https' } as const;
/** Where a server that listens on a wildcard address can be asked from its own machine. */
const LOCAL: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
]);

/** What the server says when it is ready: what it is, where it listens, and a line to try. */
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
  if (scheme === 'unix') return `--unix-socket ${path} http://localhost${route}`;
  const address = LOCAL.get(host) ?? (host.includes(':') ? `[${host}]` : host);
  return `${scheme === 'ssl' ? '--insecure ' : ''}${SCHEMES[scheme]}://${address}:${String(port)}${route}`;
}
