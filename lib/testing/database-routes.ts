import { SYSTEM_DATABASE } from '../index.js';
import { ok, refusal, type Answer, type Route, type Routes } from './answer.js';
import type { ClusterState } from './cluster-state.js';
import { decodedName, problemOfName } from './databases.js';
import { jsonBody } from './json-body.js';

/** The routes by which drivers list, make and drop databases. */
export function createDatabaseRoutes({ databases }: ClusterState): Routes {
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
