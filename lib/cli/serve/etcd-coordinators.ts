import { createEtcdDirectory, listAge, type EtcdDirectoryOptions, type Registration } from '../../etcd/index.js';
import type { ListSource, Opening } from './coordinators.js';
import { retryOpening } from './retry-opening.js';
import { certificateRemedy } from '../remedies.js';
import { tlsFiles } from './tls-files.js';
import { logDirectory } from '../log.js';
import { secretFrom } from '../../command-line/secret-variables.js';

const PASSWORD = 'ENDPOINT_LISTING_AGENCY_PASSWORD';

/** What etcd says when it rejects a user, and how to fix it. */
const REMEDIES: readonly (readonly [words: string, remedy: string])[] = [
  ['user name is empty', `set cluster.agency-user, and its password in ${PASSWORD}`],
  ['invalid user ID or password', `cluster.agency-user or the password in ${PASSWORD} is wrong`],
  ['permission denied', 'cluster.agency-user needs permission to read and write the keys of cluster.agency-prefix'],
];

function etcdRemedy({ message }: Error): string {
  const [, remedy] = REMEDIES.find(([words]) => message.includes(words)) ?? [];
  return remedy === undefined ? '' : `; ${remedy}`;
}

/** Another attempt would get the same answer. */
const isEtcdRefusal = (error: unknown): boolean => error instanceof Error && etcdRemedy(error) !== '';

/** The Coordinators that are registered in etcd; this server registers there as `own`. */
export async function etcdCoordinators(own: string, opening: Opening): Promise<ListSource> {
  const { options, log, stop } = opening;
  const etcd = etcdOptions(opening);
  const remedyFor = (failure: Error): string =>
    etcdRemedy(failure) + certificateRemedy(failure.message, 'cluster.agency-cafile', options);
  const onFailure = { isFinal: isEtcdRefusal, remedyFor };
  const directory = await retryOpening('etcd unreachable', () => createEtcdDirectory(etcd), opening, onFailure);
  logDirectory(directory, log, remedyFor);
  let registration: Registration | undefined;

  return {
    directory,
    middleware: listAge(directory),
    join: async () => {
      const { agencyTtlSeconds: ttlSeconds } = options;
      const register = () =>
        directory.register(own, { signal: stop, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) });
      registration = await retryOpening(`cannot register as ${own}`, register, opening, onFailure);
      logRegistration(registration, opening);
    },
    isRegistered: () => registration?.state === 'registered',
    deregister: async () => registration?.close(),
    // etcd holds the list.
    live: [],
    close: () => directory.close(),
  };
}

/** @throws Error when a file cannot be read, or when the password is missing. */
function etcdOptions({ options, env, stop }: Opening): EtcdDirectoryOptions {
  const { agencyEndpoints: hosts, agencyUser: username, agencyPrefix: prefix } = options;
  const password = secretFrom(env, PASSWORD) ?? '';
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
  registration.on('lost', (reason) =>
    log('warn', 'registration-lost', `no longer registered as ${endpoint}: ${reason.message}`, { endpoint }),
  );
  registration.on('restored', () =>
    log('info', 'registration-restored', `registered again as ${endpoint}`, { endpoint }),
  );
  registration.on('retry', (error) =>
    log('debug', 'registration-retry', `cannot renew the registration as ${endpoint} now: ${error.message}`, {
      endpoint,
    }),
  );
}
