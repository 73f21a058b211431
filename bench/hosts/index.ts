import { createServer, type Server } from 'node:http';
import { clusterBody, clusterHeaders, endpointsOf } from '../lists.js';
import { isOnExpress, type Variant } from '../variant.js';

/** The server of a variant, not listening yet. Loads only what that server needs. */
export async function createHost(variant: Variant): Promise<Server> {
  const { server } = variant;
  if (server === 'node:http') return createBareHost(variant);
  if (server === 'fastify') return (await import('./fastify.js')).createFastifyHost(variant);
  if (isOnExpress(server)) return (await import('./express.js')).createExpressHost(variant);
  return (await import('./others.js')).createOtherHost(server, variant);
}

/** No framework, no routing, no work: the least that an answer costs on Node. */
function createBareHost({ size }: Variant): Server {
  const body = Buffer.from(JSON.stringify(clusterBody(endpointsOf(size))));
  const headers = clusterHeaders(body).flat();
  return createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
}
