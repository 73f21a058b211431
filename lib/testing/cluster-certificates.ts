import { createSecureContext, type SecureContext } from 'node:tls';
import { createAuthority, selfSigned, type Identity } from './issue-certificate.js';
import type { TlsTrouble } from './trouble.js';

const DAY_MS = 86_400_000;

/** The certificates of one cluster. */
export type ClusterCertificates = ReturnType<typeof createClusterCertificates>;

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
