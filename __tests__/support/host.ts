import type { Express } from 'express';
import { createServer, type Server } from 'node:http';
import { createAppServer } from '../../lib/server/listen/index.js';

declare const SERVER_KIND: 'plain' | 'app-server';

/** A server for a host application, of the kind that this jest project tests with. Not listening yet: supertest does that. */
export function serve(app: Express): Server {
  // Express types its application as a handler of its own request class.
  return SERVER_KIND === 'app-server' ? createAppServer(app) : createServer(app);
}
