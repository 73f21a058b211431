import createError, { type HttpError } from 'http-errors';
import { errorAnswer, type Answer } from './answer.js';
import type { EndpointQuery } from './provider.js';

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
export const REFUSALS = Object.freeze({
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
