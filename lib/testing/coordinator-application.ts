import express, { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import { isHttpError } from 'http-errors';
import { createEndpointRouter, SYSTEM_DATABASE, type EndpointRouterOptions, type ServerRole } from '../index.js';
import type { Authentication } from './authentication.js';

/** What one coordinator answers from. */
export interface CoordinatorApplicationOptions {
  readonly authentication: Authentication;
  readonly role: () => ServerRole;
  /** The list of the cluster. */
  readonly list: () => readonly string[];
  /** Where this coordinator itself listens. */
  readonly ownEndpoints: () => readonly string[];
  /** The database beside `_system`; without it every name is one. */
  readonly database: string | undefined;
  readonly router: Pick<Required<EndpointRouterOptions>, 'clusterDatabases' | 'notCoordinatorStatus'>;
  /** Adds routes of the test's own. */
  readonly addRoutes: (router: Router) => void;
}

/** The name of each role at `/_admin/server/role`. */
const ROLE_NAMES = { single: 'SINGLE', coordinator: 'COORDINATOR', dbserver: 'PRIMARY', agent: 'AGENT' } as const;

/** `/_db/<name>` and the rest of the path. */
const WITH_DATABASE = /^\/_db\/([^/?]+)(.*)$/;

/** One coordinator: the listings, the routes that drivers ask on the way to them, and 404 for the rest. */
export function createCoordinatorApplication(options: CoordinatorApplicationOptions): Express {
  const { authentication, role, list, ownEndpoints, database, addRoutes } = options;
  const app = express().disable('x-powered-by').disable('etag');
  const extra = Router();
  addRoutes(extra);

  app.use(inEachDatabase(openAuth(authentication)));
  app.use((req, res, next) => {
    if (authentication.isAllowed(req)) next();
    else {
      res.set('WWW-Authenticate', 'Bearer token_type="JWT", realm="ArangoDB"');
      fail(res, 401, 11, 'not authorized to execute this request');
    }
  });
  app.use((req, res, next) => {
    const name = namedDatabase(req.url);
    if (name === undefined) fail(res, 400, 1229, 'database name invalid');
    else if (database !== undefined && name !== database && name !== SYSTEM_DATABASE) {
      fail(res, 404, 1228, 'database not found');
    } else {
      res.locals['database'] = name;
      next();
    }
  });
  app.use(inEachDatabase(extra));
  app.use(
    createEndpointRouter({
      ...options.router,
      role,
      endpoints: ({ listing }) => (listing === 'cluster' ? list() : ownEndpoints()),
    }),
  );
  app.use(inEachDatabase(driverRoutes(role)));
  app.use((req, res) => {
    fail(res, 404, 404, `unknown path '${req.path}'`);
  });
  app.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next(error);
    else if (isHttpError(error)) fail(res, error.status, error.status, error.message);
    // Whoever wrote the route reads it.
    else fail(res, 500, 4, error instanceof Error ? error.message : String(error));
  });
  return app;
}

/** What drivers ask before, beside and after the listings. */
function driverRoutes(role: () => ServerRole): Router {
  const router = Router();
  router.get('/_api/version', (_req, res) => {
    res.json({ server: 'arango', license: 'community', version: '3.12.0' });
  });
  router.get('/_admin/server/availability', (_req, res) => {
    res.json({ error: false, code: 200, mode: 'default' });
  });
  router.get('/_admin/server/role', (_req, res) => {
    res.json({ error: false, code: 200, role: ROLE_NAMES[role()] });
  });
  router.get('/_api/database/current', (_req, res) => {
    const name = res.locals['database'] as string;
    res.json({ error: false, code: 200, result: { id: '1', name, isSystem: name === SYSTEM_DATABASE, path: '' } });
  });
  return router;
}

function openAuth(authentication: Authentication): Router {
  const router = Router();
  // Drivers do not agree on a content type.
  router.post('/_open/auth', express.json({ type: () => true }), (req: Request, res: Response) => {
    const { username, password } = Object(req.body) as Record<string, unknown>;
    const jwt = authentication.tokenFor(username, password);
    if (jwt === undefined) fail(res, 401, 401, 'Wrong credentials');
    else res.json({ jwt });
  });
  return router;
}

/** Lets a router answer its paths below `/_db/<name>` too. */
function inEachDatabase(router: Router): (req: Request, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    const { url } = req;
    const [, , rest] = WITH_DATABASE.exec(url) ?? [];
    if (rest !== undefined) req.url = rest.startsWith('/') ? rest : `/${rest}`;
    router(req, res, (error?: unknown) => {
      req.url = url;
      next(error);
    });
  };
}

/** The database that a path names, decoded; `undefined` when it cannot be. */
function namedDatabase(url: string): string | undefined {
  const [, name = SYSTEM_DATABASE] = WITH_DATABASE.exec(url) ?? [];
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function fail(res: Response, code: number, errorNum: number, errorMessage: string): void {
  res.status(code).json({ code, error: true, errorMessage, errorNum });
}
