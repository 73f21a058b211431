import type { Request } from 'express';
import { ignoreRejection } from './thenable.js';

/** Tells the host application of an error. Never throws. */
export type Report = (error: Error, req: Request) => void;

/** Creates the one way by which errors reach the host application's log. */
export function createReport(onError: (error: Error, req: Request) => unknown = printLikeExpress): Report {
  return function report(error, req) {
    try {
      ignoreRejection(onError(error, req));
    } catch {
      // A log that fails changes no answer, and there is nobody left to tell.
    }
  };
}

/** What Express itself does with an error that nobody handles; here with the cause, which says what went wrong. */
function printLikeExpress(error: Error, req: Request): void {
  if (environmentOf(req) !== 'test') console.error(error);
}

/** The setting `env` of the host application; on a plain `http.Server` there is none, and Express's own default counts. */
function environmentOf(req: { readonly app?: Request['app'] }): unknown {
  return req.app === undefined ? process.env['NODE_ENV'] : req.app.get('env');
}
