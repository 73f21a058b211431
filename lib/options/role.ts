import { ignoreRejection } from './promises.js';
import type { OptionRule } from './read-options.js';

/** What a server is in its deployment; only a `coordinator` answers the cluster route. */
export type ServerRole = 'single' | 'coordinator' | 'dbserver' | 'agent';

const ROLES: ReadonlySet<unknown> = new Set(['single', 'coordinator', 'dbserver', 'agent'] satisfies ServerRole[]);

/** Whether a value is one of the four roles. */
export function isRole(value: unknown): value is ServerRole {
  return ROLES.has(value);
}

/** A role, or a function that gives one. */
export const ROLE: OptionRule<ServerRole | (() => ServerRole)> = {
  allowed: "'single', 'coordinator', 'dbserver', 'agent' or a function",
  fallback: 'single',
  read: (value) => (isRole(value) ? value : typeof value === 'function' ? (value as () => ServerRole) : undefined),
};

/** What a server is now. Throws what a role function throws, and when it gives anything but a role. */
export function roleOf(role: ServerRole | (() => ServerRole)): ServerRole {
  if (typeof role === 'string') return role;
  const answered: unknown = role();
  if (isRole(answered)) return answered;
  ignoreRejection(answered);
  throw new TypeError('the role function returned something that is not a role', { cause: answered });
}
