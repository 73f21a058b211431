import { createSrvDirectory, listAge } from '../../dns-srv/index.js';
import { ownAddress, type ListSource, type Opening } from './coordinators.js';
import { retryOpening } from './retry-opening.js';
import { logDirectory, logList } from '../log.js';

/**
 * The Coordinators that a DNS SRV name has, and this server, if it knows its own address: a server that answers is alive,
 * whatever the DNS says.
 */
export async function srvCoordinators(name: string, opening: Opening): Promise<ListSource> {
  const { options, log, stop } = opening;
  const { srvScheme: scheme, dnsServers: servers } = options;
  const own = ownAddress(options);
  const open = () =>
    createSrvDirectory({
      name,
      include: own === undefined ? [] : [own],
      signal: stop,
      ...(scheme === undefined ? {} : { scheme }),
      ...(servers.length === 0 ? {} : { servers }),
    });
  const directory = await retryOpening('no list from DNS', open, opening);
  logList(directory.provider(), log);
  logDirectory(directory, log);
  const review = (): void => {
    if (directory.status().entries.some(({ source }) => source !== own)) return;
    log('warn', 'list-empty', `${name} has no SRV records: check the name`, { name });
  };
  review();
  directory.on('change', review);
  return {
    directory,
    middleware: listAge(directory),
    // The DNS holds the list.
    live: [],
    close: () => directory.close(),
  };
}
