import { createUpstreamDirectory, listAge, type EndpointDirectory } from '../../upstream/index.js';
import { ownAddress, type ListSource, type Opening } from './coordinators.js';
import { keepTrying } from './keep-trying.js';
import { certificateRemedy } from '../remedies.js';
import { tlsFiles } from './tls-files.js';
import { logDirectory, logList } from '../log.js';
import { isUpstreamRefusal, upstreamAuthorization } from './upstream-authorization.js';

/** The Coordinators that the servers of an upstream list, and this server, if it knows its own address. */
export async function upstreamCoordinators(opening: Opening): Promise<ListSource> {
  const { options, env, log, stop } = opening;
  const { upstreams: servers, upstreamDatabase: database } = options;
  const own = ownAddress(options);
  const { headers, remedyFor: authorizationRemedy } = upstreamAuthorization(env);
  const remedyFor = (failure: Error): string =>
    authorizationRemedy(failure) + certificateRemedy(failure.message, 'cluster.upstream-cafile', options);
  const upstream = {
    servers,
    signal: stop,
    include: own === undefined ? [] : [own],
    ...(database === undefined ? {} : { database }),
    ...(headers === undefined ? {} : { headers }),
    ...tlsFiles({
      'cluster.upstream-cafile': options.upstreamCafile,
      'cluster.upstream-keyfile': options.upstreamKeyfile,
    }),
  };
  const open = (): Promise<EndpointDirectory> => createUpstreamDirectory(upstream);
  const onFailure = { isFinal: isUpstreamRefusal, remedyFor };
  const directory = await keepTrying('upstream unavailable', open, opening, onFailure);
  logList(directory.provider(), log);
  logDirectory(directory, log, remedyFor);
  return {
    directory,
    middleware: listAge(directory),
    // The upstream holds the list.
    live: [],
    close: () => directory.close(),
  };
}
