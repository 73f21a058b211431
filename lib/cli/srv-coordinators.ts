import { createSrvDirectory, listAge } from '../dns-srv/index.js';
import type { Coordinators, Log } from './coordinators.js';
import { logDirectory } from './directory-log.js';

/** The Coordinators that a DNS SRV name has, and this server, if it knows its own address: it is alive whatever the DNS says. */
export async function srvCoordinators(
  name: string,
  dnsServers: readonly string[],
  own: string | undefined,
  log: Log,
): Promise<Coordinators> {
  const directory = await createSrvDirectory({
    name,
    include: own === undefined ? [] : [own],
    ...(dnsServers.length === 0 ? {} : { servers: dnsServers }),
  });
  logDirectory(directory, log);
  return { provider: directory.provider, middleware: listAge(directory), close: () => directory.close() };
}
