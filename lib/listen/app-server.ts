import type { Express } from 'express';
import * as http from 'node:http';
import { shown } from '../text/shown.js';
import { KEEP_ALIVE_TIMEOUT_MS } from './options.js';

/** The classes that a server of `node:http` or `node:https` makes its requests and responses from. */
export interface AppClasses {
  readonly IncomingMessage: typeof http.IncomingMessage;
  readonly ServerResponse: typeof http.ServerResponse;
}

/** The options of `http.createServer`, without the two that are the application's own here. */
export type AppServerOptions = Omit<http.ServerOptions, keyof AppClasses>;

/**
 * An HTTP server for an Express application whose requests and responses are born with the application's own prototypes.
 *
 * Express changes the prototype of both objects on every request, which makes V8 give each request hidden classes of its
 * own; with a server made here the change is a no-op. On Node 20 and 22 that is most of the time that Express takes.
 *
 * One difference can be seen, by a listener that gets a request before Express does (`upgrade`, `checkContinue`, a second
 * `request` listener): the read-only getters of Express, such as `req.path` and `req.ip`, are there already.
 *
 * An idle connection is kept for 300,000 ms, as the reference server does, and not for Node's 5,000; the option
 * `keepAliveTimeout` changes that. `server.close()` closes idle connections at once.
 *
 * @param options - The options of `http.createServer`.
 * @throws `TypeError` when `app` is not an Express application, or when `options` name classes: Express would take their
 *   prototypes from the objects at once, so that they could not mean what they say.
 * @see {@link appClasses}, for any other server: `https.createServer({ key, cert, ...appClasses(app) }, app)`.
 * @see https://github.com/expressjs/express/issues/5998
 */
export function createAppServer(app: Express, options: AppServerOptions = {}): http.Server {
  for (const name of ['IncomingMessage', 'ServerResponse']) {
    if (name in options) throw new TypeError(`option ${name} is not allowed, the application has its own`);
  }
  const { keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS } = options;
  return http.createServer({ ...options, keepAliveTimeout, ...appClasses(app) }, app);
}

/**
 * The classes for one application: made once, and found again on the application for its next server.
 *
 * `app.request` and `app.response` become the prototypes of these classes. What the host application put on them before
 * is there, what it puts on them later arrives, also in applications that are mounted in this one. For that it has to name
 * `app.request` and `app.response` anew: an object that was saved from there before reaches mounted applications only.
 *
 * @throws `TypeError` when `app` is not an Express application.
 */
export function appClasses(app: Express): AppClasses {
  if (!isExpressApp(app)) throw new TypeError(`app must be an Express application, got ${shown(app)}`);
  // `class extends`: a constructor function would leave the instances in dictionary mode. Logs print the classes' names.
  if (!isMadeFrom(app.request, http.IncomingMessage)) {
    class IncomingMessage extends http.IncomingMessage {}
    app.request = inPlaceOf(app.request, IncomingMessage.prototype);
  }
  if (!isMadeFrom(app.response, http.ServerResponse)) {
    class ServerResponse extends http.ServerResponse {}
    app.response = inPlaceOf(app.response, ServerResponse.prototype);
  }
  return {
    IncomingMessage: app.request.constructor as typeof http.IncomingMessage,
    ServerResponse: app.response.constructor as typeof http.ServerResponse,
  };
}

/** Whether a handler is an Express application, of either major and of whatever copy of the library. */
export function isExpressApp(handler: unknown): handler is Express {
  if (typeof handler !== 'function') return false;
  const { request, response } = handler as Partial<Express>;
  return request instanceof http.IncomingMessage && response instanceof http.ServerResponse;
}

/** Whether `prototype` belongs to a class that makes such objects, and does not just inherit from one. */
function isMadeFrom(prototype: object, base: typeof http.IncomingMessage | typeof http.ServerResponse): boolean {
  const made = prototype.constructor;
  return made.prototype === prototype && Object.prototype.isPrototypeOf.call(base, made);
}

/** Gives `prototype` everything that `former` had and inherited. */
function inPlaceOf<T extends object>(former: T, prototype: object): T {
  if (!Object.hasOwn(former, 'app')) {
    // Not the object that Express made for this application: others may share it, so it stays as it is.
    return Object.setPrototypeOf(prototype, former) as T;
  }
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(former) as object);
  const own = Object.getOwnPropertyDescriptors(former);
  Object.defineProperties(prototype, { ...own, ...Object.getOwnPropertyDescriptors(prototype) });
  // Applications that are mounted already inherit from `former`; from now on it stands for `prototype`.
  for (const key of Reflect.ownKeys(own)) Reflect.deleteProperty(former, key);
  Reflect.setPrototypeOf(former, prototype);
  return prototype as T;
}
