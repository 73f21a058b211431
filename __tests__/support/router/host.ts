import express, { type Express, type Request, type Response } from 'express';
import { createServer, type Server } from 'node:http';
import { createEndpointRouter, type EndpointRouterOptions } from '../../../lib/index.js';
import { createAppServer } from '../../../lib/listen/index.js';
import { rawAnswer } from './raw.js';

declare const SERVER_KIND: 'plain' | 'app-server';

/** For how many seconds a server of this kind keeps an idle connection, as it says in its answers. */
export const KEEP_ALIVE_SECONDS = SERVER_KIND === 'app-server' ? 300 : 5;

/** A server for a host application, of the kind that this jest project tests with. Not listening yet: supertest does that. */
export function serve(app: Express): Server {
  return SERVER_KIND === 'app-server' ? createAppServer(app) : createServer(app);
}

/** The least host application: one router at `/`, without the header that Express adds to advertise itself. */
export function hostOf(options: EndpointRouterOptions): Express {
  const app = express().disable('x-powered-by');
  app.use(createEndpointRouter(options));
  return app;
}

/** A server of {@link hostOf}. */
export function serverOf(options: EndpointRouterOptions): Server {
  return serve(hostOf(options));
}

/** The bytes that {@link hostOf} sends: the measure for every other host. They stand in `answers-as-bytes.test.ts`, and only there. */
export function usualAnswer(options: EndpointRouterOptions, request: string): Promise<string> {
  return rawAnswer(serverOf({ onError: () => undefined, ...options }), request);
}

/** What stands behind a router in a host application: it shows that a request has come through untouched. */
export function behind(req: Request, res: Response): void {
  res.status(299).end(`${req.method} ${req.baseUrl} ${req.url}`);
}
