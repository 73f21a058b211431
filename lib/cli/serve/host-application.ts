import express, { type Express, type RequestHandler, type Response } from 'express';
import type { ServerRole } from '../../options/role.js';
import { createEndpointRouter } from '../../index.js';
import type { Coordinators, Opening } from './coordinators.js';
import { inFewLines, type Log } from '../log.js';

/** What answers with a list: the router, and behind it the page for people, if there is one. */
export function createListHandler(
  role: ServerRole,
  { provider, log }: Pick<Parameters<Opening['handlerFor']>[0], 'provider' | 'log'>,
  page?: RequestHandler,
): RequestHandler {
  const router = createEndpointRouter({ role, endpoints: provider, onError: reportTo(log) });
  return page === undefined ? router : express.Router().use(router, page);
}

/**
 * The host application of the command: each request gets the list that is for it, and 404 in the drivers' own form where no list
 * answers.
 *
 * @param count - Runs before everything else.
 */
export function createHostApplication(
  {
    listFor,
    isTrusted,
    middleware,
  }: Pick<Coordinators, 'isTrusted' | 'middleware'> & {
    readonly listFor: (req: express.Request) => { readonly handler: RequestHandler };
  },
  log: Log,
  count?: RequestHandler,
): Express {
  const onError = reportTo(log);
  const app = express().disable('x-powered-by').set('trust proxy', isTrusted) as Express & { handle: RequestHandler };
  if (count !== undefined) app.use(count);
  if (middleware !== undefined) app.use(middleware);
  app.use((req, res, next) => {
    void listFor(req).handler(req, res, next);
  });
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

/** Logs failed requests, and of many in one minute how many there were. */
function reportTo(log: Log): (error: Error) => void {
  const logFailure = inFewLines(log, 'requests failed in the last minute', 60_000);
  return ({ message, cause }) =>
    logFailure('error', 'listing-error', cause instanceof Error ? `${message}: ${cause.message}` : message);
}

function refuse(res: Response, code: number, errorMessage: string, errorNum: number): void {
  res.status(code).json({ code, error: true, errorMessage, errorNum });
}
