import { ignoreRejection } from './promises.js';
import type { OptionRule } from './read-options.js';

/** The role of a server in its deployment; only a `coordinator` serves the cluster route. */
export type ServerRole = 'single' | 'coordinator' | 'dbserver' | 'agent';

const ROLES: ReadonlySet<unknown> = new Set(['single', 'coordinator', 'dbserver', 'agent'] satisfies ServerRole[]);

/** Whether a value is one of the four roles. */
export function isRole(value: unknown): value is ServerRole {
  return ROLES.has(value);
}

/** A role, or a function that returns one. */
export const ROLE: OptionRule<ServerRole | (() => ServerRole)> = {
  allowed: "'single', 'coordinator', 'dbserver', 'agent' or a function",
  fallback: 'single',
  read: (value) => (isRole(value) ? value : typeof value === 'function' ? (value as () => ServerRole) : undefined),
};

/** The current role of a server. Throws what a role function throws, and if it returns anything but a role. */
export function roleOf(role: ServerRole | (() => ServerRole)): ServerRole {
  if (typeof role === 'string') return role;
  const answered: unknown = role();
  if (isRole(answered)) return answered;
  ignoreRejection(answered);
  throw new TypeError('the role function returned something that is not a role', { cause: answered });
}
