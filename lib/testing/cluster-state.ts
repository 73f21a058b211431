import { randomUUID } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ServerRole } from '../index.js';
import { ActiveTroubles } from './active-troubles.js';
import { Authentication } from './authentication.js';
import { Databases } from './databases.js';
import { createAuthority, selfSigned, type Identity } from './issue-certificate.js';
import type { LifeState } from './server.js';
import type { Settings } from './options.js';
import { RequestLog } from './request-log.js';
import type { TlsTrouble } from './trouble.js';

const DAY_MS = 86_400_000;

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
  readonly certificates: ReturnType<typeof createClusterCertificates> | undefined;
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

/** @param host - The host name or IP address of the servers, beside the names of loopback. */
export function createClusterCertificates(host: string) {
  const at = (days: number): Date => new Date(Date.now() + days * DAY_MS);
  const valid = { notBefore: at(-1), notAfter: at(365) };
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])];
  // Older than the expired certificate, so that the date of that one is all that is wrong with it.
  const authority = createAuthority('express-endpoint-listing test cluster', { notBefore: at(-60), notAfter: at(365) });

  const make = {
    none: () => authority.issue({ names, ...valid }),
    expired: () => authority.issue({ names, notBefore: at(-30), notAfter: at(-1) }),
    'wrong-name': () => authority.issue({ names: ['wrong-name.invalid'], ...valid }),
    'self-signed': () => selfSigned({ names, ...valid }),
  } as const satisfies Record<string, () => Identity>;
  const contexts = new Map<string, SecureContext>();

  return {
    /** The authority that signs the good one, and bad ones of which only one thing is bad. */
    ca: authority.cert,
    /** What a server needs to show the good certificate, or one with a fault; made once each. */
    contextFor(fault: TlsTrouble['certificate'] | 'none' = 'none'): SecureContext {
      const context = contexts.get(fault) ?? createSecureContext(make[fault]());
      contexts.set(fault, context);
      return context;
    },
  };
}
