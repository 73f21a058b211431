import { createSrvDirectory, listAge } from '../../membership/dns-srv/index.js';
import type { ServerOptions } from '../config/index.js';
import { ownAddress, type Coordinators, type Log } from './coordinators.js';
import { logDirectory } from './directory-log.js';

/** The Coordinators that a DNS SRV name has, and this server, if it knows its own address: it is alive whatever the DNS says. */
export async function srvCoordinators(options: ServerOptions, name: string, log: Log): Promise<Coordinators> {
  const own = ownAddress(options);
  const directory = await createSrvDirectory({
    name,
    include: own === undefined ? [] : [own],
    ...(options.dnsServers.length === 0 ? {} : { servers: options.dnsServers }),
  });
  logDirectory(directory, log);
  return { provider: directory.provider, middleware: listAge(directory), close: () => directory.close() };
}
