import type { Request, Response } from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';
import { createServer, type Server } from 'node:http';

/** A server of `node:http` without an Express application: the router is a handler like any other. */
export function createPlainServer(): Server {
  const router = createEndpointRouter({ endpoints: ['tcp://127.0.0.1:8529', 'unix:///run/db.sock'] });

  return createServer((req, res) => {
    // Express types its handlers for its own requests; the router reads nothing that node:http does not give.
    router(req as Request, res as Response, (error?: unknown) => {
      res.writeHead(error === undefined ? 404 : 500, { 'Content-Type': 'text/plain' });
      res.end(error === undefined ? 'not found\n' : 'internal error\n');
    });
  });
}

if (process.argv[1] === import.meta.filename) createPlainServer().listen(8529, '127.0.0.1');
