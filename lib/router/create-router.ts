import { Router, type NextFunction, type Request, type Response } from 'express';
import type { HttpError } from 'http-errors';
import type { Answer } from './answer.js';
import { answerOf, asHttpError, refusalError, type Refusal } from './errors.js';
import { openExchange, type Exchange } from './exchange.js';
import { guard } from './guard.js';
import { createListing } from './listing.js';
import { routerSettings, type EndpointRouterOptions } from './options.js';
import { createAskProvider, type Outcome } from './provider.js';
import { createReport } from './report.js';
import { cut, forward, respond } from './respond.js';
import { isCoordinator } from './role.js';

/**
 * Creates the router of both listings, ready for `app.use()`:
 *
 * - `GET /_api/cluster/endpoints`: the endpoints of all Coordinators of a cluster, on a coordinator only;
 * - `GET /_api/endpoint`: the endpoints that a server listens on; deprecated since server version 3.4.0.
 *
 * Each also as `/_db/_system/_api/...`. Requests for other paths go on to the host application untouched.
 *
 * @throws `TypeError` for a bad option, naming the option, the value and what is allowed, and for a fixed list with bad
 *   endpoints, naming all of them.
 * @see Interface, section 4; behaviour, sections 1 to 5.
 */
export function createEndpointRouter(options: EndpointRouterOptions): Router {
  const settings = routerSettings(options);
  const report = createReport(settings.onError);
  const listings = { cluster: createListing('cluster', report), server: createListing('server', report) };

  function listEndpoints(req: Request, res: Response, next: NextFunction): void {
    const exchange = openExchange(req, res, next);
    if (exchange === undefined) {
      next();
      return;
    }
    let verdict: string | Refusal;
    try {
      verdict = guard(exchange, settings);
    } catch (error) {
      outcome.failed(exchange, error);
      return;
    }
    if (typeof verdict === 'string') askProvider(verdict, exchange);
    else refuse(exchange, verdict);
  }

  function refuse(exchange: Exchange, refusal: Refusal): void {
    if (settings.errors === 'forward') handOver(exchange, refusalError(refusal));
    else send(exchange, refusal.answer);
  }

  const outcome: Outcome = {
    given(exchange, list) {
      let answer: Answer;
      try {
        answer = listings[exchange.listing].answerFor(list, exchange.req);
      } catch (error) {
        outcome.failed(exchange, error);
        return;
      }
      send(exchange, answer);
    },
    failed(exchange, thrown) {
      const error = asHttpError(thrown);
      if (settings.errors === 'forward') handOver(exchange, error);
      else send(exchange, answerOf(error));
      if (error.status >= 500) report(error, exchange.req);
    },
  };

  function send(exchange: Exchange, answer: Answer): void {
    const hasSuccessor = exchange.listing === 'server' && isCoordinatorNow(exchange.req);
    try {
      respond(exchange, answer, hasSuccessor);
    } catch (error) {
      giveUp(exchange, error);
    }
  }

  function handOver(exchange: Exchange, error: HttpError): void {
    try {
      forward(exchange, error);
    } catch (thrown) {
      giveUp(exchange, thrown);
    }
  }

  function giveUp(exchange: Exchange, thrown: unknown): void {
    cut(exchange);
    report(asHttpError(thrown), exchange.req);
  }

  /** For the single-server listing the role decides a header only: a role function that fails costs the header, not the answer. */
  function isCoordinatorNow(req: Request): boolean {
    try {
      return isCoordinator(settings.role);
    } catch (error) {
      report(asHttpError(error), req);
      return false;
    }
  }

  const askProvider = createAskProvider(settings, outcome);
  const router = Router();
  router.use(listEndpoints);
  return router;
}
