import type { Server } from 'node:http';
import type { Variant } from '../variant.js';

/** The server of a variant, not listening yet. Loads only what that server needs. */
export async function createHost(variant: Variant): Promise<Server> {
  if (variant.server === 'node:http') return (await import('./bare-node.js')).createBareHost(variant);
  if (variant.server === 'fastify') return (await import('./fastify.js')).createFastifyHost(variant);
  return (await import('./express.js')).createExpressHost(variant);
}
