import { createEtcdDirectory, listAge } from '../../membership/etcd/index.js';
import type { ServerOptions } from '../config/index.js';
import { ownAddress, type Coordinators, type Log } from './coordinators.js';
import { logDirectory } from './directory-log.js';

/** The Coordinators that are registered in etcd; this server registers there, too. */
export async function etcdCoordinators(options: ServerOptions, log: Log): Promise<Coordinators> {
  const directory = await createEtcdDirectory({ hosts: options.agencyEndpoints });
  logDirectory(directory, log);
  const own = ownAddress(options);
  return {
    provider: directory.provider,
    middleware: listAge(directory),
    join: async () => {
      if (own === undefined) return;
      const registration = await directory.register(own);
      registration.on('lost', (reason) => {
        log(`not registered any more: ${reason.message}`);
      });
      registration.on('restored', () => {
        log(`registered again as ${own}`);
      });
      log(`registered as ${own}`);
    },
    close: () => directory.close(),
  };
}
