import type { Express } from 'express';
import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';

/** The classes of `node:http` that a server makes its requests and responses from. */
export interface AppClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * An HTTP server for an Express application whose requests and responses are born with the application's own prototypes.
 *
 * Express changes the prototype of both objects on every request, which makes V8 give each request hidden classes of its
 * own; with a server made here the change is a no-op. On Node 20 and 22 that is most of the time that Express takes.
 *
 * `app.request` and `app.response` are replaced by objects that inherit from the ones before: whatever the host
 * application put on them, or puts on them later, stays in reach.
 *
 * @param options - The options of `http.createServer`.
 * @see https://github.com/expressjs/express/issues/5998
 */
export function createAppServer(app: Express, options: ServerOptions = {}): Server {
  return createServer({ ...options, ...appClasses(app) }, app);
}

/** The classes for one application: made once, and found again on the application by the next server. */
export function appClasses(app: Express): AppClasses {
  // `class extends`: a constructor function would leave the instances in dictionary mode.
  if (!isBornFrom(app.request, IncomingMessage)) {
    class AppRequest extends IncomingMessage {}
    app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as typeof app.request;
  }
  if (!isBornFrom(app.response, ServerResponse)) {
    class AppResponse extends ServerResponse {}
    app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as typeof app.response;
  }
  return {
    IncomingMessage: app.request.constructor as typeof IncomingMessage,
    ServerResponse: app.response.constructor as typeof ServerResponse,
  };
}

/** Whether `prototype` is the prototype of a class of its own, and not just an object that inherits from `base.prototype`. */
function isBornFrom(prototype: object, base: typeof IncomingMessage | typeof ServerResponse): boolean {
  return prototype.constructor !== base && (prototype.constructor.prototype as unknown) === prototype;
}
