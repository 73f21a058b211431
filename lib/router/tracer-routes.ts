import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { channel } from 'node:diagnostics_channel';
import type { Exchange } from './target.js';

/** Our routes as routes of Express, for tracers, which learn a request's route from the layers that it passes. */
const ROUTES = [
  '/_api/cluster/endpoints',
  '/_api/endpoint',
  '/_db/:database/_api/cluster/endpoints',
  '/_db/:database/_api/endpoint',
];

/** Documented in `router` 2.3, the package below Express 5. */
const tracing = channel('tracing:express.router.request:start');

/** Creates the routes that tracers see. */
export function createTracerRoutes() {
  const arrivals = new WeakMap<Request, (next: NextFunction) => void>();
  const arrive: RequestHandler = (req: Request, _res: Response, next: NextFunction) => {
    arrivals.get(req)?.(next);
  };
  const routes = Router();
  for (const path of ROUTES) routes.all(path, arrive);
  // OpenTelemetry, dd-trace and others replace each registered handler.
  const isWrapped = Router().use(arrive).stack[0]?.handle !== arrive;

  return {
    /** Whether there is a tracer: without one, no request takes a route of Express. */
    isWanted: () => isWrapped || tracing.hasSubscribers,
    /** Continues with an exchange below its route. */
    show(exchange: Exchange, goOn: (exchange: Exchange) => void): void {
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
        // A database name that Express cannot decode matches no route; the guard refuses it.
        else goOn(exchange);
      });
    },
  };
}
