import type { NextFunction, Request, Response } from 'express';
import { SYSTEM_DATABASE, type ServerRole } from '../index.js';
import { jsonBody, ok, refusal, send, type Answer } from './answer.js';
import type { ClusterState, Member } from './cluster-state.js';
import { decodedName, problemOfName } from './databases.js';

/** What answers a request; `database` is the one in whose name it was sent. */
type Route = (req: Request, database: string) => Answer | Promise<Answer>;

/** Routes by method and path. */
type Routes = Readonly<Record<string, Route>>;

const VERSION = { server: 'arango', license: 'community', version: '3.12.0' };

/** The name of each role at `/_admin/server/role`. */
const ROLE_NAMES = { single: 'SINGLE', coordinator: 'COORDINATOR', dbserver: 'PRIMARY', agent: 'AGENT' } as const;

/** What the id of a server begins with; a server outside of a cluster has none. */
const ID_PREFIXES: Partial<Record<ServerRole, string>> = { coordinator: 'CRDN', dbserver: 'PRMR', agent: 'AGNT' };

/**
 * What drivers ask before, beside and after the listings, each below `/_db/:name` too. Found by hand, not by a router of Express:
 * that one goes on by the global `setImmediate` where no route fits, which jsdom does not have, and which fake timers hold.
 */
export function createDriverRoutes(cluster: ClusterState, index: number) {
  const routes = new Map(Object.entries({ ...serverRoutes(cluster, index), ...databaseRoutes(cluster) }));
  return (req: Request, res: Response, next: NextFunction): void => {
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const path = req.path.replace(/^\/_db\/[^/]+/, '').replace(/(?<=.)\/$/, '');
    const route = routes.get(`${method} ${path}`) ?? routes.get(`${method} ${path.replace(/\/[^/]+$/, '/{name}')}`);
    if (route === undefined) {
      next();
      return;
    }
    Promise.resolve(route(req, res.locals['database'] as string)).then((answer) => send(res, answer), next);
  };
}

function serverRoutes(cluster: ClusterState, index: number): Routes {
  const mode = (): Answer => ok({ mode: 'default' });
  return {
    'GET /_api/version': ({ query: { details: wanted } }) => {
      const hasDetails = typeof wanted === 'string' && /^(?:true|yes|on|y|1)$/i.test(wanted);
      return { code: 200, body: hasDetails ? { ...VERSION, details: details(cluster.role) } : VERSION };
    },
    'GET /_admin/server/availability': mode,
    'GET /_admin/server/mode': mode,
    'GET /_admin/server/role': () => ok({ role: ROLE_NAMES[cluster.role] }),
    'GET /_admin/server/id': () => {
      const prefix = ID_PREFIXES[cluster.role];
      if (prefix === undefined) return refusal(500, 500, 'internal server error');
      return ok({ id: `${prefix}-${String(cluster.members[index]?.id)}` });
    },
    'GET /_admin/cluster/health': () => {
      if (cluster.role !== 'coordinator') return refusal(403, 403, 'only allowed on coordinators');
      const members = cluster.members.map((member, at) => [`CRDN-${member.id}`, healthOf(member, at)]);
      return ok({ ClusterId: cluster.id, Health: Object.fromEntries(members) as object });
    },
    'POST /_open/auth': async (req) => {
      const { username, password } = await jsonBody(req);
      const jwt = cluster.authentication.tokenFor(username, password);
      return jwt === undefined ? refusal(401, 401, 'Wrong credentials') : { code: 200, body: { jwt } };
    },
  };
}

/** All of it text, as in the reference server. */
function details(role: ServerRole): Record<string, string> {
  return { architecture: '64bit', mode: 'server', role: ROLE_NAMES[role], 'server-version': VERSION.version };
}

function healthOf({ endpoint, state }: Member, at: number): object {
  const isGood = state() === 'running';
  return {
    Endpoint: endpoint(),
    Role: 'Coordinator',
    Status: isGood ? 'GOOD' : 'FAILED',
    SyncStatus: isGood ? 'SERVING' : 'UNKNOWN',
    ShortName: `Coordinator${String(at + 1).padStart(4, '0')}`,
    Timestamp: new Date().toISOString(),
    Version: VERSION.version,
    Engine: 'rocksdb',
    CanBeDeleted: !isGood,
  };
}

/** The routes by which drivers list, make and drop databases. */
function databaseRoutes({ databases }: ClusterState): Routes {
  const names = (): Answer => ok({ result: databases.names() });
  return {
    'GET /_api/database': inSystem(names),
    'GET /_api/database/user': names,
    'GET /_api/database/current': (_req, name) =>
      ok({ result: { id: databases.idOf(name), name, isSystem: name === SYSTEM_DATABASE, path: '' } }),
    'POST /_api/database': inSystem(async (req) => {
      const { name } = await jsonBody(req);
      if (typeof name !== 'string') return refusal(400, 1229, 'database name invalid');
      if (databases.has(name)) return refusal(409, 1207, `duplicate database name '${name}'`);
      const problem = problemOfName(name);
      if (problem !== undefined) return refusal(400, 1229, problem);
      databases.add(name);
      return ok({ result: true }, 201);
    }),
    'DELETE /_api/database/{name}': inSystem(({ path }) => {
      const name = decodedName(path.replace(/\/$/, '').split('/').at(-1));
      if (name === SYSTEM_DATABASE) return refusal(403, 11, 'forbidden');
      if (name === undefined || !databases.has(name)) return refusal(404, 1228, 'database not found');
      databases.remove(name);
      return ok({ result: true });
    }),
  };
}

/** A route that other databases than `_system` do not have. */
function inSystem(route: Route): Route {
  return (req, database) =>
    database === SYSTEM_DATABASE
      ? route(req, database)
      : refusal(403, 1230, 'operation only allowed in system database');
}
