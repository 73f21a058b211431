import express, { type Express, type RequestHandler, type Response } from 'express';
import type { ServerRole } from '../../options/role.js';
import { createEndpointRouter, type EndpointProvider } from '../../index.js';
import type { Coordinators } from './coordinators.js';
import { inFewLines, type Log } from '../log.js';

/** The optional parts of a server. */
export interface Extras {
  /** Runs before everything else. */
  readonly count?: RequestHandler | undefined;
  /** Runs before the router: reports the age of the list. */
  readonly age?: Coordinators['middleware'];
  /** The page for people. */
  readonly page?: RequestHandler | undefined;
}

/** Both listings of a server, for the router and the page. */
export function providerOf(
  coordinators: Pick<Coordinators, 'provider'>,
  bound: () => Promise<readonly string[]>,
): EndpointProvider {
  return (query) => (query.listing === 'cluster' ? coordinators.provider(query) : bound());
}

/** The host application of the command: the router, and 404 in the drivers' own form for everything else. */
export function createHostApplication(
  role: ServerRole,
  endpoints: EndpointProvider,
  log: Log,
  { count, age, page }: Extras,
): Express {
  const logFailure = inFewLines(log, 'requests failed in the last minute', 60_000);
  const onError = (error: Error): void => {
    // The review of the rules has already logged those.
    if (error instanceof AggregateError && error.errors.every(isUnmatched)) return;
    const { message, cause } = error;
    logFailure('error', 'listing-error', cause instanceof Error ? `${message}: ${cause.message}` : message);
  };

  const app = express().disable('x-powered-by') as Express & { handle: RequestHandler };
  if (count !== undefined) app.use(count);
  if (age !== undefined) app.use(age);
  app.use(createEndpointRouter({ role, endpoints, onError }));
  if (page !== undefined) app.use(page);
  // Not a handler of the application: for a target without a path, such as `http://`, Express calls none of them.
  const handle = app.handle.bind(app);
  app.handle = (req, res) => {
    handle(req, res, (error?: unknown) => {
      if (error !== undefined) onError(error as Error);
      if (res.headersSent) req.socket.destroy();
      else if (error === undefined) refuse(res, 404, 'unknown path', 404);
      else refuse(res, 500, 'internal error', 4);
    });
  };
  return app;
}

function refuse(res: Response, code: number, errorMessage: string, errorNum: number): void {
  res.status(code).json({ code, error: true, errorMessage, errorNum });
}

/** Whether translation has skipped an endpoint because no rule matches it. */
function isUnmatched(refusal: unknown): boolean {
  return refusal instanceof Error && refusal.name === 'UnmatchedEndpointError';
}
