import { randomUUID } from 'node:crypto';
import type { ServerRole } from '../index.js';
import { ActiveTroubles } from './active-troubles.js';
import { Authentication } from './authentication.js';
import { createClusterCertificates, type ClusterCertificates } from './cluster-certificates.js';
import { Databases } from './databases.js';
import type { LifeState } from './server.js';
import type { Settings } from './options.js';
import { RequestLog } from './request-log.js';

/** One coordinator, as the others know it. */
export interface Member {
  /** The id that the reference server gives its servers, without the letters of their role. */
  readonly id: string;
  readonly url: () => string;
  readonly endpoint: () => string;
  readonly state: () => LifeState;
}

/** What all coordinators of a cluster answer from. */
export class ClusterState {
  readonly id = randomUUID();
  readonly members: Member[] = [];
  readonly authentication: Authentication;
  readonly certificates: ClusterCertificates | undefined;
  readonly troubles = new ActiveTroubles();
  readonly databases: Databases;
  readonly log = new RequestLog();
  /** The list of the cluster; `undefined` where it is that of its members. */
  list: readonly string[] | undefined;
  role: ServerRole = 'coordinator';

  constructor(readonly settings: Settings) {
    const { advertisedHost, auth, database, host, ssl } = settings;
    this.authentication = new Authentication(auth);
    this.certificates = ssl ? createClusterCertificates(advertisedHost ?? host) : undefined;
    this.databases = new Databases(database);
  }
}
