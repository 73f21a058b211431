import { createServer, type Server } from 'node:http';
import { clusterBody, clusterHeaders, endpointsOf } from '../lists.js';
import type { Variant } from '../variant.js';

/** The server of a variant, not listening yet. Loads only what that server needs. */
export async function createHost(variant: Variant): Promise<Server> {
  const { server } = variant;
  if (server === 'node:http') return createBareHost(variant);
  if (server === 'fastify') return (await import('./fastify.js')).createFastifyHost(variant);
  return (await import('./express.js')).createExpressHost(variant);
}

/** No framework, no routing, no work: the least that an answer costs on Node. */
function createBareHost({ handler, size }: Variant): Server {
  const text = JSON.stringify(clusterBody(endpointsOf(size)));
  const body = handler === 'string' ? text : Buffer.from(text);
  const headers = clusterHeaders(body).flat();
  return createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
}
