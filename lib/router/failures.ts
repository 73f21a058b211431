import createError, { isHttpError, type HttpError } from 'http-errors';
import type { Request } from 'express';
import { errorAnswer, statusText, type Answer } from './answer.js';
import { ignoreRejection } from '../options/promises.js';
import type { EndpointQuery } from './provider.js';

const INTERNAL_ERROR = { status: 500, errorNum: 4, message: 'internal error', expose: false };

/**
 * Turns whatever a callback of the host application threw into an http-error: an http-error keeps its status, and its message if it is
 * exposed; everything else becomes a 500. The original is the `cause`, which no client sees.
 */
export function asHttpError(thrown: unknown): HttpError {
  const { status, message, ...properties } = shownParts(thrown) ?? INTERNAL_ERROR;
  const error = createError(status, message, properties);
  // Not enumerable, as usual: a host that sends `{ ...error }` must not send what is only for its log.
  return Object.defineProperty(error, 'cause', { value: thrown, writable: true, configurable: true });
}

function shownParts(thrown: unknown): typeof INTERNAL_ERROR | undefined {
  try {
    // By shape, not by class: the host may have another copy of http-errors.
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

/** The response for an error. */
export function failureAnswer(listing: EndpointQuery['listing'], error: HttpError): Answer {
  return errorAnswer(listing, error.status, error['errorNum'] as number, error.message);
}

/** Reports an error to the host application. Never throws. */
export type Report = (error: Error, req: Request) => void;

/** Creates the function that reports errors to the host application's log. */
export function createReport(onError: (error: Error, req: Request) => unknown = printLikeExpress): Report {
  return function report(error, req) {
    try {
      ignoreRejection(onError(error, req));
    } catch {
      // A failing log must not affect the response.
    }
  };
}

/** Prints an error as Express does if there is no handler, but with the cause, which says what went wrong. */
function printLikeExpress(error: Error, req: Request): void {
  if (environmentOf(req) !== 'test') console.error(error);
}

/** The setting `env` of the host application or, on a plain `http.Server`, Express's own default. */
function environmentOf(req: { readonly app?: Request['app'] }): unknown {
  return req.app === undefined ? process.env['NODE_ENV'] : req.app.get('env');
}
