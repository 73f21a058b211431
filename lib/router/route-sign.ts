import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { channel } from 'node:diagnostics_channel';
import type { Exchange } from './target.js';

/** Our routes as Express knows routes, for tracers, which learn the route of a request from the layers that it passes. */
const ROUTES = [
  '/_api/cluster/endpoints',
  '/_api/endpoint',
  '/_db/:database/_api/cluster/endpoints',
  '/_db/:database/_api/endpoint',
];

/** Documented by `router`, the package below Express 5, in its version 2.3. */
const tracing = channel('tracing:express.router.request:start');

/** Shows tracers which route a request takes. */
export interface RouteSign {
  /** Whether anybody looks: without a tracer, no request is sent through routes of Express. */
  isWanted(): boolean;
  /** Goes on with an exchange below its route. */
  show(exchange: Exchange, goOn: (exchange: Exchange) => void): void;
}

/** Creates the routes that tracers see. */
export function createRouteSign(): RouteSign {
  const arrivals = new WeakMap<Request, (next: NextFunction) => void>();
  const arrive: RequestHandler = (req: Request, _res: Response, next: NextFunction) => {
    arrivals.get(req)?.(next);
  };
  const routes = Router({ caseSensitive: true });
  for (const path of ROUTES) routes.all(path, arrive);
  // OpenTelemetry, dd-trace and others put a handler of their own in the place of each that is registered.
  const isWrapped = Router().use(arrive).stack[0]?.handle !== arrive;

  return {
    isWanted: () => isWrapped || tracing.hasSubscribers,
    show(exchange, goOn) {
      const { req, res, next } = exchange;
      const { params } = req;
      let hasArrived = false;
      arrivals.set(req, (nextInRoute) => {
        hasArrived = true;
        req.params = params;
        goOn({ ...exchange, next: nextInRoute });
      });
      routes(req, res, (error?: unknown) => {
        if (hasArrived) next(error);
        // A database name that Express cannot decode takes no route, and is for the guard to refuse.
        else goOn(exchange);
      });
    },
  };
}
