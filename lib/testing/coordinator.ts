import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ClusterState, Member } from './cluster-state.js';
import { inflict } from './inflict-trouble.js';
import { createBreakableServer, type BreakableServer, type ConnectedListener } from './server.js';
import type { RequestListener } from 'node:http';
import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { isHttpError } from 'http-errors';
import { createEndpointRouter, SYSTEM_DATABASE } from '../index.js';
import { refusal, send } from './answer.js';
import { decodedName } from './databases.js';
import { createDriverRoutes } from './driver-routes.js';

const LISTING = /^(?:\/_db\/[^/?]+)?\/_api\/(?:cluster\/endpoints|endpoint)\/?(?:\?|$)/;

/** One coordinator of a cluster, with its server. */
export interface Coordinator extends Member, BreakableServer {}

/** Makes the coordinator at one place of a cluster, stopped. */
export function createCoordinator(cluster: ClusterState, index: number): Coordinator {
  const { certificates, troubles, settings } = cluster;
  const { host, listedHost, ports, scheme } = settings;
  const server = createBreakableServer(
    {
      host,
      port: ports?.[index] ?? 0,
      secureContext: certificates && (() => certificates.contextFor(troubles.ofHandshake(index)?.certificate)),
    },
    createListener(cluster, index),
  );
  const address = (): string => `${listedHost}:${String(server.port())}`;
  return {
    ...server,
    id: randomUUID(),
    url: () => `${scheme.ofUrl}://${address()}`,
    endpoint: () => `${scheme.ofEndpoint}://${address()}`,
  };
}

function createListener(cluster: ClusterState, index: number): ConnectedListener {
  const { log, members, troubles } = cluster;
  const endingConnections = new WeakSet<Socket>();
  const application = createCoordinatorApplication(cluster, index);
  return (req, res, tcp) => {
    const received = log.add(index, req);
    if (endingConnections.has(tcp)) {
      received.trouble = 'keep-alive';
      tcp.destroy();
      return;
    }
    const trouble = troubles.ofRequest(index, LISTING.test(received.url));
    if (trouble === undefined) {
      application(req, res);
      return;
    }
    received.trouble = trouble.kind;
    const next = `${String(members[(index + 1) % members.length]?.url())}${received.url}`;
    const endAtNextRequest = (): unknown => endingConnections.add(tcp);
    void inflict(trouble, { req, res, application, tcp, next, endAtNextRequest });
  };
}

/** `/_db/<name>` and the rest of the path. */
const WITH_DATABASE = /^\/_db\/([^/?]+)(.*)$/;
const OPEN_AUTH = /^(?:\/_db\/[^/?]+)?\/_open\/auth\/?(?:\?|$)/;

/**
 * One coordinator: the test's own routes, the listings, the routes that drivers ask beside them, and 404 for the rest. All of them are
 * layers of one router, so that none is ever at its end: there Express goes on by the global `setImmediate`, which jsdom does not
 * have, and which fake timers hold.
 */
function createCoordinatorApplication(cluster: ClusterState, index: number): RequestListener {
  const { clusterDatabases, notCoordinatorStatus, routes } = cluster.settings;
  const endpoints = (): string[] => cluster.members.map(({ endpoint }) => endpoint());
  const router = Router();
  routes?.(router, index);
  router.use(asSent);
  router.use(
    createEndpointRouter({
      clusterDatabases,
      notCoordinatorStatus,
      role: () => cluster.role,
      endpoints: ({ listing }) =>
        listing === 'server' ? endpoints().slice(index, index + 1) : (cluster.list ?? endpoints()),
    }),
  );
  router.use(createDriverRoutes(cluster, index));
  router.use((req, res) => send(res, refusal(404, 404, `unknown path '${req.path}'`)));
  router.use(afterFailure);
  const app = express().disable('x-powered-by').disable('etag').use(guard(cluster), withoutDatabase, router);
  return (req, res) => {
    app(req as Request, res as Response, (error?: unknown) => {
      // An answer has begun; or the target has no path, as `http://`, and Express has brought it to no handler.
      if (error !== undefined) req.socket.destroy();
      else send(res as Response, refusal(404, 404, `unknown path '${String(req.url)}'`));
    });
  };
}

/** Lets pass who is allowed, into a database that there is. */
function guard({ authentication, databases }: ClusterState) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const [, encoded = SYSTEM_DATABASE] = WITH_DATABASE.exec(req.url) ?? [];
    const name = decodedName(encoded);
    if (!OPEN_AUTH.test(req.url) && !authentication.isAllowed(req)) {
      res.set('WWW-Authenticate', 'Bearer token_type="JWT", realm="ArangoDB"');
      send(res, refusal(401, 11, 'not authorized to execute this request'));
    } else if (name === undefined) send(res, refusal(400, 1229, 'database name invalid'));
    else if (!databases.has(name)) send(res, refusal(404, 1228, 'database not found'));
    else {
      res.locals['database'] = name;
      next();
    }
  };
}

/** Lets the test's own routes answer below `/_db/<name>` too. */
function withoutDatabase(req: Request, _res: Response, next: NextFunction): void {
  const [, , rest] = WITH_DATABASE.exec(req.url) ?? [];
  if (rest !== undefined) req.url = rest.startsWith('/') ? rest : `/${rest}`;
  next();
}

function asSent(req: Request, _res: Response, next: NextFunction): void {
  req.url = req.originalUrl;
  next();
}

function afterFailure(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  if (res.headersSent) next(error);
  else if (isHttpError(error)) send(res, refusal(error.status, error.status, error.message));
  // For the author of the route.
  else send(res, refusal(500, 4, error instanceof Error ? error.message : String(error)));
}
