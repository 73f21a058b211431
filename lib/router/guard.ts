import type { Request } from 'express';
import { databaseInUrl, isAllowedIn } from './database.js';
import { REFUSALS, type Refusal } from './errors.js';
import type { Exchange } from './exchange.js';
import type { Settings } from './options.js';
import { isCoordinator } from './role.js';
import { ignoreRejection } from './thenable.js';

/**
 * The checks of both routes in their order (behaviour, section 1), before any provider is asked: the database through which the
 * listing may be read, or the refusal. Throws what the host application's `databaseName` and `role` throw.
 */
export function guard(exchange: Exchange, settings: Settings): string | Refusal {
  const { req, listing } = exchange;
  if (req.method !== 'GET') return REFUSALS.method[listing];

  const { databaseName } = settings;
  const database = databaseName === undefined ? databaseInUrl(exchange) : givenDatabase(databaseName, req);
  if (database === undefined) return REFUSALS.undecodableDatabase;
  if (!isAllowedIn(database, exchange, settings.clusterDatabases)) return REFUSALS.foreignDatabase[listing];

  if (listing === 'cluster' && !isCoordinator(settings.role)) {
    return REFUSALS.notCoordinator[settings.notCoordinatorStatus];
  }
  return database;
}

function givenDatabase(databaseName: (req: Request) => string, req: Request): string {
  const name: unknown = databaseName(req);
  if (typeof name === 'string') return name;
  ignoreRejection(name);
  throw new TypeError('databaseName returned something that is not a string', { cause: name });
}
