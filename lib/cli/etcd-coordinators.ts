import { createEtcdDirectory, listAge, type EtcdDirectoryOptions, type Registration } from '../etcd/index.js';
import { keepTrying, tlsFiles, type Coordinators, type Opening } from './coordinators.js';
import { logDirectory } from './log.js';

const PASSWORD = 'ENDPOINT_LISTING_AGENCY_PASSWORD';

/** The Coordinators that are registered in etcd; this server registers there as `own`. */
export async function etcdCoordinators(own: string, opening: Opening): Promise<Coordinators> {
  const { options, log, stop } = opening;
  const etcd = etcdOptions(opening);
  const directory = await keepTrying('etcd is unreachable', () => createEtcdDirectory(etcd), opening);
  logDirectory(directory, log);
  let registration: Registration | undefined;

  return {
    provider: directory.provider,
    directory,
    middleware: listAge(directory),
    join: async () => {
      const { agencyTtlSeconds: ttlSeconds } = options;
      const register = () =>
        directory.register(own, { signal: stop, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) });
      registration = await keepTrying(`cannot register as ${own}`, register, opening);
      logRegistration(registration, opening);
    },
    leave: async () => registration?.close(),
    // etcd holds the list.
    live: [],
    close: () => directory.close(),
  };
}

/** @throws Error when a file cannot be read, or when the password is missing. */
function etcdOptions({ options, env, stop }: Opening): EtcdDirectoryOptions {
  const { agencyEndpoints: hosts, agencyUser: username, agencyPrefix: prefix } = options;
  const password = env[PASSWORD] ?? '';
  if (username !== undefined && password === '')
    throw new Error(`cluster.agency-user needs its password in ${PASSWORD}`);
  return {
    hosts,
    signal: stop,
    ...(prefix === undefined ? {} : { prefix }),
    ...(username === undefined ? {} : { auth: { username, password } }),
    ...tlsFiles({
      'cluster.agency-cafile': options.agencyCafile,
      'cluster.agency-keyfile': options.agencyKeyfile,
    }),
  };
}

function logRegistration(registration: Registration, { log }: Opening): void {
  const { endpoint } = registration;
  log('info', 'registered', `registered as ${endpoint}`, { endpoint });
  registration.on('lost', (reason) => {
    log('warn', 'registration-lost', `no longer registered as ${endpoint}: ${reason.message}`, { endpoint });
  });
  registration.on('restored', () => {
    log('info', 'registration-restored', `registered again as ${endpoint}`, { endpoint });
  });
  registration.on('retry', (error) => {
    log('debug', 'registration-retry', `cannot renew the registration as ${endpoint} now: ${error.message}`, {
      endpoint,
    });
  });
}
