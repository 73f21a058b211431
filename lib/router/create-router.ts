import { Router, type RequestHandler } from 'express';
import { createRequestHandler } from './handle-request.js';
import { routerSettings, type EndpointRouterOptions } from './options.js';

/**
 * Creates the router of both listings, ready for `app.use()`:
 *
 * - `GET /_api/cluster/endpoints`: the endpoints of all Coordinators of a cluster, on a coordinator only;
 * - `GET /_api/endpoint`: the endpoints that a server listens on; deprecated since server version 3.4.0.
 *
 * Both also work below `/_db/_system`. Requests for other paths reach the host application untouched, after any handlers that it has added
 * to this router with `use`.
 *
 * @example
 * ```ts
 * import express from 'express';
 * import { createEndpointRouter } from 'express-endpoint-listing';
 *
 * express().use(createEndpointRouter({ endpoints: ['tcp://10.0.0.1:8529'] })).listen(8529);
 * ```
 * @throws `TypeError` for an invalid option, naming the option, the value and what is allowed, and for a fixed list with invalid
 *   endpoints, naming all of them.
 * @see `openapi.json`, which is part of the package.
 */
export function createEndpointRouter(options: EndpointRouterOptions): Router {
  const handleRequest = createRequestHandler(routerSettings(options));
  const router = Router() as Router & { handle: RequestHandler };

  // The layers of an Express router cost a request more than its response does, so ours runs before all of them.
  const handleByLayers = router.handle.bind(router);
  const passOn: RequestHandler = (req, res, next) => {
    if (router.stack.length === 0) next();
    else handleByLayers(req, res, next);
  };
  router.handle = (req, res, next) => handleRequest(req, res, next, passOn);
  return router;
}
