import { fastify } from 'fastify';
import type { Server } from 'node:http';
import { clusterBody, endpointsOf } from '../lists.js';
import type { Variant } from '../variant.js';

const SCHEMA = {
  type: 'object',
  properties: {
    error: { type: 'boolean' },
    code: { type: 'integer' },
    endpoints: { type: 'array', items: { type: 'object', properties: { endpoint: { type: 'string' } } } },
  },
};

/** The listing as one would write it in Fastify, with the headers of ours: the schema lets it generate a serialiser beforehand. */
export async function createFastifyHost({ size }: Variant): Promise<Server> {
  const list = endpointsOf(size);
  const app = fastify();
  app.get('/_api/cluster/endpoints', { schema: { response: { 200: SCHEMA } } }, (_req, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
    void reply.send(clusterBody(list));
  });
  await app.ready();
  return app.server;
}
