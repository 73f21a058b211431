import { createServer, type Server } from 'node:http';
import { clusterBody, clusterHeaders, endpointsOf } from '../lists.js';
import type { Variant } from '../variant.js';

/** No framework, no routing, no work: the least that an answer costs on Node. */
export function createBareHost({ size }: Variant): Server {
  const body = Buffer.from(JSON.stringify(clusterBody(endpointsOf(size))));
  const headers = clusterHeaders(body).flat();
  return createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
}
