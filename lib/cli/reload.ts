import type { ServerOptionName, ServerOptions } from '../config/index.js';
import type { Coordinators, Log } from './coordinators.js';

/** What only a restart changes. */
const FIXED = {
  'server.endpoint': 'endpoints',
  'ssl.keyfile': 'ssl',
  'cluster.my-role': 'role',
  'cluster.agency-endpoint': 'agencyEndpoints',
  'cluster.my-srv-name': 'srvName',
  'cluster.dns-server': 'dnsServers',
} as const satisfies Partial<Record<ServerOptionName, keyof ServerOptions>>;

/** What a running server takes over, unless an engine holds its list. */
const LIVE = {
  'cluster.coordinator': 'coordinators',
  'cluster.my-address': 'myAddress',
  'cluster.my-advertised-endpoint': 'advertisedEndpoint',
} as const satisfies Partial<Record<ServerOptionName, keyof ServerOptions>>;

/** Creates what SIGHUP does: a good configuration replaces the list, a broken one changes nothing; both are logged. */
export function createReload(
  started: ServerOptions,
  load: () => ServerOptions,
  { replace }: Pick<Coordinators, 'replace'>,
  log: Log,
): () => void {
  const fixed = Object.entries(replace === undefined ? { ...FIXED, ...LIVE } : FIXED);

  return function reload() {
    let options: ServerOptions;
    try {
      options = load();
    } catch (error) {
      log(`the configuration is broken, everything stays as it is: ${(error as Error).message}`);
      return;
    }
    replace?.(options);
    const later = fixed.filter(([, field]) => JSON.stringify(started[field]) !== JSON.stringify(options[field]));
    const note = later.length === 0 ? '' : `; a restart is needed for ${later.map(([name]) => name).join(', ')}`;
    log(`the configuration has been read again${note}`);
  };
}
