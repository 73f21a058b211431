import type { ServerRole } from '../contract.js';
import { ignoreRejection } from './thenable.js';

const ROLES: ReadonlySet<unknown> = new Set(['single', 'coordinator', 'dbserver', 'agent'] satisfies ServerRole[]);

export function isRole(value: unknown): value is ServerRole {
  return ROLES.has(value);
}

/** Whether this server is a coordinator now. Throws when a role function throws, or returns anything but a role. */
export function isCoordinator(role: ServerRole | (() => ServerRole)): boolean {
  if (typeof role === 'string') return role === 'coordinator';
  const answered: unknown = role();
  if (isRole(answered)) return answered === 'coordinator';
  ignoreRejection(answered);
  throw new TypeError('the role function returned something that is not a role', { cause: answered });
}
