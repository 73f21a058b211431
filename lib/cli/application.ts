import express, { type Express } from 'express';
import type { ServerRole } from '../options/rules.js';
import { createEndpointRouter, type EndpointProvider } from '../index.js';
import type { Coordinators } from './coordinators.js';
import type { Log } from './log.js';

/** The host application of the command: the router, and 404 in the drivers' own form for everything else. */
export function createApplication(
  role: ServerRole,
  coordinators: Pick<Coordinators, 'provider' | 'middleware'>,
  bound: () => Promise<readonly string[]>,
  log: Log,
): Express {
  const endpoints: EndpointProvider = (query) => (query.listing === 'cluster' ? coordinators.provider(query) : bound());
  const onError = ({ message, cause }: Error): void => {
    log('error', 'listing-error', cause instanceof Error ? `${message}: ${cause.message}` : message);
  };

  const app = express().disable('x-powered-by');
  if (coordinators.middleware !== undefined) app.use(coordinators.middleware);
  app.use(createEndpointRouter({ role, endpoints, onError }));
  app.use((_req, res) => {
    res.status(404).json({ code: 404, error: true, errorMessage: 'unknown path', errorNum: 404 });
  });
  return app;
}
