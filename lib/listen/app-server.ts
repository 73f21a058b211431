import type { Express } from 'express';
import * as http from 'node:http';
import { shown } from '../text/shown.js';
import { KEEP_ALIVE_TIMEOUT_MS } from './options.js';

/** The classes of the requests and responses of a `node:http` or `node:https` server. */
export interface AppClasses {
  readonly IncomingMessage: typeof http.IncomingMessage;
  readonly ServerResponse: typeof http.ServerResponse;
}

/** The options of `http.createServer`, without the two that are the application's own here. */
export type AppServerOptions = Omit<http.ServerOptions, keyof AppClasses>;

/**
 * Creates an HTTP server for an Express application, whose requests and responses have the application's prototypes from the start.
 *
 * Express changes the prototype of both objects on every request, so that V8 gives each request its own hidden classes. With this server the
 * change is a no-op. On Node 20 and 22 it takes most of the time that Express takes.
 *
 * One difference is visible: a listener that gets a request before Express does (`upgrade`, `checkContinue`, a second `request` listener)
 * already finds Express's read-only getters, such as `req.path` and `req.ip`.
 *
 * Idle connections are kept for 300,000 ms, as by the reference server, instead of Node's 5,000; the option `keepAliveTimeout` changes that. `server.close()` closes idle connections at once.
 *
 * @param options - The options of `http.createServer`.
 * @throws `TypeError` if `app` is not an Express application, or if `options` name classes, whose prototypes Express would replace.
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
 * The classes for one application, created once and reused for its next server.
 *
 * `app.request` and `app.response` become the prototypes of these classes. Earlier and later extensions of them work, also in mounted
 * applications. Extend `app.request` and `app.response` themselves: a reference saved earlier only affects mounted applications.
 *
 * @throws `TypeError` when `app` is not an Express application.
 */
export function appClasses(app: Express): AppClasses {
  if (!isExpressApp(app)) throw new TypeError(`app must be an Express application, got ${shown(app)}`);
  // `class extends`, since a constructor function would leave the instances in dictionary mode. Logs print the classes' names.
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

/** Whether a handler is an Express application, of either major version and from any copy of the library. */
export function isExpressApp(handler: unknown): handler is Express {
  if (typeof handler !== 'function') return false;
  const { request, response } = handler as Partial<Express>;
  return request instanceof http.IncomingMessage && response instanceof http.ServerResponse;
}

/** Whether `prototype` belongs to such a class, and does not just inherit from one. */
function isMadeFrom(prototype: object, base: typeof http.IncomingMessage | typeof http.ServerResponse): boolean {
  const made = prototype.constructor;
  return made.prototype === prototype && Object.prototype.isPrototypeOf.call(base, made);
}

/** Gives `prototype` everything that `former` had and inherited. */
function inPlaceOf<T extends object>(former: T, prototype: object): T {
  if (!Object.hasOwn(former, 'app')) {
    // Not the object that Express created for this application: others may share it, so it stays unchanged.
    return Object.setPrototypeOf(prototype, former) as T;
  }
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(former) as object);
  const own = Object.getOwnPropertyDescriptors(former);
  Object.defineProperties(prototype, { ...own, ...Object.getOwnPropertyDescriptors(prototype) });
  // Mounted applications inherit from `former`, which from now on inherits from `prototype`.
  for (const key of Reflect.ownKeys(own)) Reflect.deleteProperty(former, key);
  Reflect.setPrototypeOf(former, prototype);
  return prototype as T;
}
