import { createEtcdDirectory, listAge } from '../etcd/index.js';
import type { Coordinators, Log } from './coordinators.js';
import { logDirectory } from './directory-log.js';

/** The Coordinators that are registered in etcd; this server registers there as `own`. */
export async function etcdCoordinators(hosts: readonly string[], own: string, log: Log): Promise<Coordinators> {
  const directory = await createEtcdDirectory({ hosts });
  logDirectory(directory, log);
  return {
    provider: directory.provider,
    middleware: listAge(directory),
    join: async () => {
      const registration = await directory.register(own);
      log(`registered as ${own}`);
      registration.on('lost', (reason) => {
        log(`no longer registered as ${own}: ${reason.message}`);
      });
      registration.on('restored', () => {
        log(`registered again as ${own}`);
      });
    },
    close: () => directory.close(),
  };
}
