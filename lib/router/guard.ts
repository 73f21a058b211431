import { REFUSALS, type Refusal } from './refusals.js';
import type { Settings } from './options.js';
import { databaseOf, SYSTEM_DATABASE, type Exchange } from './target.js';

/**
 * Runs the checks of both routes in order, before the provider is called. Returns the database of the listing, or the refusal. Throws what
 * the host application's `databaseName` and `role` throw.
 */
export function guard(exchange: Exchange, settings: Settings): string | Refusal {
  const { listing } = exchange.target;
  if (exchange.req.method !== 'GET') return REFUSALS.method[listing];

  const database = databaseOf(exchange, settings.databaseName);
  if (database === undefined) return REFUSALS.undecodableDatabase[listing];
  const isAllowed = database === SYSTEM_DATABASE || (listing === 'cluster' && settings.clusterDatabases === 'any');
  if (!isAllowed) return REFUSALS.foreignDatabase[listing];

  if (listing === 'cluster' && !settings.isCoordinator()) {
    return REFUSALS.notCoordinator[settings.notCoordinatorStatus];
  }
  return database;
}
