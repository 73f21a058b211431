import { isRole, type ServerRole } from '../endpoint/role.js';
import { ignoreRejection } from './thenable.js';

/** Whether this server is a coordinator now. Throws when a role function throws, or returns anything but a role. */
export function isCoordinator(role: ServerRole | (() => ServerRole)): boolean {
  if (typeof role === 'string') return role === 'coordinator';
  const answered: unknown = role();
  if (isRole(answered)) return answered === 'coordinator';
  ignoreRejection(answered);
  throw new TypeError('the role function returned something that is not a role', { cause: answered });
}
