import { createUpstreamDirectory, listAge } from '../upstream/index.js';
import { keepTrying, ownAddress, tlsFiles, type Coordinators, type Opening } from './coordinators.js';
import { logDirectory, logList } from './log.js';

const AUTHORIZATION = 'ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION';

/** The Coordinators that the servers of an upstream list, and this server, if it knows its own address. */
export async function upstreamCoordinators(opening: Opening): Promise<Coordinators> {
  const { options, log, stop } = opening;
  const { upstreams: servers, upstreamDatabase: database } = options;
  const own = ownAddress(options);
  const upstream = {
    servers,
    signal: stop,
    include: own === undefined ? [] : [own],
    ...(database === undefined ? {} : { database }),
    ...authorization(opening),
    ...tlsFiles({
      'cluster.upstream-cafile': options.upstreamCafile,
      'cluster.upstream-keyfile': options.upstreamKeyfile,
    }),
  };
  const directory = await keepTrying('the upstream gives no list', () => createUpstreamDirectory(upstream), opening);
  logList(directory.provider(), log);
  logDirectory(directory, log);
  return {
    provider: directory.provider,
    directory,
    middleware: listAge(directory),
    // The upstream holds the list.
    live: [],
    close: () => directory.close(),
  };
}

/** @throws Error that does not show the value. */
function authorization({ env }: Pick<Opening, 'env'>): { readonly headers?: Headers } {
  const value = env[AUTHORIZATION] ?? '';
  if (value === '') return {};
  try {
    return { headers: new Headers({ Authorization: value }) };
  } catch {
    throw new Error(`${AUTHORIZATION} cannot be the value of a header`);
  }
}
