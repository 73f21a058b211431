import { randomUUID } from 'node:crypto';
import type { ServerRole } from '../index.js';
import { createActiveTroubles, type ActiveTroubles } from './active-troubles.js';
import { createAuthentication, type Authentication } from './authentication.js';
import { createClusterCertificates, type ClusterCertificates } from './cluster-certificates.js';
import { createDatabases, type Databases } from './databases.js';
import type { LifeState } from './life.js';
import type { Settings } from './options.js';
import { createRequestLog, type RequestLog } from './request-log.js';

/** One coordinator, as the others know it. */
export interface Member {
  /** The id that the reference server gives its servers, without the letters of their role. */
  readonly id: string;
  readonly url: () => string;
  readonly endpoint: () => string;
  readonly state: () => LifeState;
}

/** What all coordinators of a cluster answer from. */
export interface ClusterState {
  readonly id: string;
  readonly settings: Settings;
  readonly members: readonly Member[];
  readonly authentication: Authentication;
  readonly certificates: ClusterCertificates | undefined;
  readonly troubles: ActiveTroubles;
  readonly databases: Databases;
  readonly log: RequestLog;
  /** The list of the cluster; `undefined` where it is that of its members. */
  list: readonly string[] | undefined;
  role: ServerRole;
}

/** A cluster whose members are yet to come. */
export function createClusterState(settings: Settings): ClusterState & { members: Member[] } {
  const { advertisedHost, auth, database, host, ssl } = settings;
  return {
    id: randomUUID(),
    settings,
    members: [],
    authentication: createAuthentication(auth),
    certificates: ssl ? createClusterCertificates(advertisedHost ?? host) : undefined,
    troubles: createActiveTroubles(),
    databases: createDatabases(database),
    log: createRequestLog(),
    list: undefined,
    role: 'coordinator',
  };
}
