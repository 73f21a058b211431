import { SYSTEM_DATABASE } from './contract.js';
import type { Exchange } from './exchange.js';

/** The database that the URL of a request names, decoded once; `undefined` when a name in it cannot be decoded. */
export function databaseInUrl({ req, rawDatabase }: Exchange): string | undefined {
  if (req.baseUrl === '' && rawDatabase === undefined) return SYSTEM_DATABASE;
  const names = databasesInMountPath(req.baseUrl);
  if (rawDatabase !== undefined) names.push(decoded(rawDatabase));
  if (names.includes(undefined)) return undefined;
  // Where the mount path and the path below it name one each, the foreign one counts: no nesting opens another database.
  return names.find((name) => name !== SYSTEM_DATABASE) ?? SYSTEM_DATABASE;
}

/**
 * The names that the host application consumed, as in `app.use('/_db/:anything', router)`. A host matches letter case
 * loosely unless told otherwise, and perhaps by a parameter of its own: so `/_DB/` and `/%5Fdb/` name a database too.
 */
function databasesInMountPath(mountPath: string): (string | undefined)[] {
  const segments = mountPath.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, index) =>
    decoded(segment)?.toLowerCase() === '_db' ? [decoded(segments[index + 1])] : [],
  );
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether a listing may be read through a database: the guard of both routes (interface section 1). */
export function isAllowedIn(database: string, { listing }: Exchange, clusterDatabases: 'system' | 'any'): boolean {
  return database === SYSTEM_DATABASE || (listing === 'cluster' && clusterDatabases === 'any');
}
