/** What a server is in its deployment; only a `coordinator` answers the cluster route. */
export type ServerRole = 'single' | 'coordinator' | 'dbserver' | 'agent';

const ROLES: ReadonlySet<unknown> = new Set(['single', 'coordinator', 'dbserver', 'agent'] satisfies ServerRole[]);

/** Whether a value is one of the four roles. */
export function isRole(value: unknown): value is ServerRole {
  return ROLES.has(value);
}
