import createError, { isHttpError, type HttpError } from 'http-errors';
import type { ErrorBody } from './contract.js';
import { createAnswer, statusText, type Answer } from './answer.js';

/** A request that the router refuses. Its answer is prepared once, and no stack is captured for it. */
export interface Refusal {
  readonly status: number;
  readonly errorNum: number;
  readonly message: string;
  readonly answer: Answer;
}

const refusal = (status: number, errorNum: number, message: string): Refusal =>
  Object.freeze({ status, errorNum, message, answer: errorAnswer(status, errorNum, message) });

const FOREIGN_DATABASE = 'operation only allowed in system database';
const NOT_A_COORDINATOR = 'cannot serve this request for this deployment type';

/** What the two routes refuse (behaviour, section 1); where they differ, each has the status that its clients tolerate. */
export const REFUSALS = Object.freeze({
  method: {
    cluster: refusal(405, 405, 'only the GET method is allowed'),
    server: refusal(405, 405, 'method not supported'),
  },
  undecodableDatabase: refusal(400, 1229, 'database name invalid'),
  foreignDatabase: { cluster: refusal(403, 1230, FOREIGN_DATABASE), server: refusal(400, 1230, FOREIGN_DATABASE) },
  notCoordinator: { 501: refusal(501, 9, NOT_A_COORDINATOR), 403: refusal(403, 11, NOT_A_COORDINATOR) },
});

/** A refusal as the error that a host application's own handler receives; its text is meant for the client. */
export function refusalError({ status, errorNum, message }: Refusal): HttpError {
  const headers = status === 405 ? { Allow: 'GET' } : {};
  return createError(status, message, { errorNum, expose: true, headers });
}

const INTERNAL_ERROR = { status: 500, errorNum: 4, message: 'internal error', expose: false };

/**
 * Whatever a callback of the host application threw, as an error of ours: an http-error keeps its status, and its message
 * if it is meant to be shown; everything else is a 500. The original is the `cause`, which no client sees.
 */
export function asHttpError(thrown: unknown): HttpError {
  const { status, message, ...properties } = shownParts(thrown) ?? INTERNAL_ERROR;
  const error = createError(status, message, properties);
  // Not enumerable, as the language has it: a host that sends `{ ...error }` must not send what is for its log alone.
  return Object.defineProperty(error, 'cause', { value: thrown, writable: true, configurable: true });
}

function shownParts(thrown: unknown): typeof INTERNAL_ERROR | undefined {
  try {
    // By shape, not by class: the host may hold another copy of http-errors.
    if (!isHttpError(thrown) || !isErrorStatus(thrown.status)) return undefined;
    const { status, expose } = thrown;
    const errorNum: unknown = thrown['errorNum'];
    const message: unknown = thrown.message;
    const standard =
      status === INTERNAL_ERROR.status
        ? INTERNAL_ERROR
        : { errorNum: status, message: statusText(status).toLowerCase() };
    return {
      status,
      errorNum: isErrorNum(errorNum) ? errorNum : standard.errorNum,
      message: expose && typeof message === 'string' ? message : standard.message,
      expose,
    };
  } catch {
    return undefined;
  }
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}

function isErrorNum(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The answer that an error of ours becomes. */
export function answerOf(error: HttpError): Answer {
  return errorAnswer(error.status, error['errorNum'] as number, error.message);
}

function errorAnswer(code: number, errorNum: number, errorMessage: string): Answer {
  return createAnswer(code, { code, error: true, errorMessage, errorNum } satisfies ErrorBody);
}
