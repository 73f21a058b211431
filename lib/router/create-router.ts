import { Router, type RequestHandler } from 'express';
import { createRequestHandler } from './handle-request.js';
import { routerSettings, type EndpointRouterOptions } from './options.js';

/**
 * Creates the router of both listings, ready for `app.use()`:
 *
 * - `GET /_api/cluster/endpoints`: the endpoints of all Coordinators of a cluster, on a coordinator only;
 * - `GET /_api/endpoint`: the endpoints that a server listens on; deprecated since server version 3.4.0.
 *
 * Each also as `/_db/_system/_api/...`. Requests for other paths go on to the host application untouched, through what it has
 * added to this router by `use`.
 *
 * @throws `TypeError` for an invalid option, naming the option, the value and what is allowed, and for a fixed list with invalid
 *   endpoints, naming all of them.
 * @see `openapi.json`, which is part of the package.
 */
export function createEndpointRouter(options: EndpointRouterOptions): Router {
  const handleRequest = createRequestHandler(routerSettings(options));
  const router = Router() as Router & { handle: RequestHandler };

  // The layers of a router cost a request more than its answer does: ours is no layer, but stands before all of them.
  const handleByLayers = router.handle.bind(router);
  const passOn: RequestHandler = (req, res, next) => {
    if (router.stack.length === 0) next();
    else handleByLayers(req, res, next);
  };
  router.handle = (req, res, next) => {
    handleRequest(req, res, next, passOn);
  };
  return router;
}
