import createError, { type HttpError } from 'http-errors';
import { errorAnswer, type Answer } from './answer.js';
import type { EndpointQuery } from './provider.js';
import type { Settings } from './options.js';
import { databaseOf, SYSTEM_DATABASE, type Exchange } from './target.js';

/** A refused request. Its response is prepared once, and no stack is captured for it. */
export interface Refusal {
  readonly status: number;
  readonly errorNum: number;
  readonly message: string;
  readonly answer: Answer;
}

const refusal = (listing: EndpointQuery['listing'], status: number, errorNum: number, message: string): Refusal =>
  Object.freeze({ status, errorNum, message, answer: errorAnswer(listing, status, errorNum, message) });

const UNDECODABLE = 'database name invalid';
const FOREIGN_DATABASE = 'operation only allowed in system database';
const NOT_A_COORDINATOR = 'cannot serve this request for this deployment type';

/** The refusals of both routes; each route has the status that its clients tolerate. */
const REFUSALS = Object.freeze({
  method: {
    cluster: refusal('cluster', 405, 405, 'only the GET method is allowed'),
    server: refusal('server', 405, 405, 'method not supported'),
  },
  undecodableDatabase: {
    cluster: refusal('cluster', 400, 1229, UNDECODABLE),
    server: refusal('server', 400, 1229, UNDECODABLE),
  },
  foreignDatabase: {
    cluster: refusal('cluster', 403, 1230, FOREIGN_DATABASE),
    server: refusal('server', 400, 1230, FOREIGN_DATABASE),
  },
  notCoordinator: {
    501: refusal('cluster', 501, 9, NOT_A_COORDINATOR),
    403: refusal('cluster', 403, 11, NOT_A_COORDINATOR),
  },
});

/** A refusal as an error for the host application's handler; its message is meant for the client. */
export function refusalError({ status, errorNum, message }: Refusal): HttpError {
  const headers = status === 405 ? { Allow: 'GET' } : {};
  return createError(status, message, { errorNum, expose: true, headers });
}

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
