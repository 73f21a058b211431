import type { NextFunction, Request, Response } from 'express';
import type { Answer } from './answer.js';
import { createAskProvider, type Outcome } from './ask-provider.js';
import { createDelivery, hasLeft } from './delivery.js';
import { createReport } from './failures.js';
import { guard, type Refusal } from './guard.js';
import { createListing } from './listing.js';
import type { Settings } from './options.js';
import { createTracerRoutes } from './tracer-routes.js';
import { targetOf, type Exchange } from './target.js';

/** Handles a request. `passOn` receives requests for other paths. */
export type HandleRequest = (req: Request, res: Response, next: NextFunction, passOn: HandleOther) => void;
type HandleOther = (req: Request, res: Response, next: NextFunction) => void;

/**
 * Creates the handler of both routes, with these steps:
 *
 * | # | check                                       | in                              | fails with                               |
 * | - | ------------------------------------------- | ------------------------------- | ---------------------------------------- |
 * | 1 | its path is one of the two routes           | `target.ts`                     | nothing: it is passed on, untouched      |
 * | 2 | its method is GET                           | `guard.ts`                      | 405                                      |
 * | 3 | the names of databases in it can be decoded | `guard.ts`, `target.ts`         | 400 / 1229                               |
 * | 4 | it names no database but `_system`          | `guard.ts`                      | single route 400, cluster route 403      |
 * | 5 | cluster route: this server is a coordinator | `guard.ts`                      | 501, or the `notCoordinatorStatus`       |
 * | 6 | the provider returns a usable list          | `ask-provider.ts`, `listing.ts` | 500, 503, or the status of an http-error |
 *
 * Steps 2 to 5 fail with a row of `REFUSALS`; `failures.ts` handles a failure of step 6. `delivery.ts` writes every response.
 */
export function createRequestHandler(settings: Settings): HandleRequest {
  const report = createReport(settings.onError);
  const listings = { cluster: createListing('cluster', report), server: createListing('server', report) };
  const deliver = createDelivery(settings, report);
  const tracerRoutes = createTracerRoutes();

  function handleRequest(req: Request, res: Response, next: NextFunction, passOn: HandleOther): void {
    const target = targetOf(req.url);
    if (target === undefined) passOn(req, res, next);
    else if (tracerRoutes.isWanted()) tracerRoutes.show({ req, res, next, target }, answer);
    else answer({ req, res, next, target });
  }

  function answer(exchange: Exchange): void {
    let verdict: string | Refusal;
    try {
      verdict = guard(exchange, settings);
    } catch (error) {
      deliver.fail(exchange, error);
      return;
    }
    if (typeof verdict !== 'string') deliver.refuse(exchange, verdict);
    // The provider is not called for a client that has left: no signal would say so.
    else if (!hasLeft(exchange)) askProvider(exchange, verdict);
  }

  const outcome: Outcome = {
    given(exchange, list) {
      let listing: Answer;
      try {
        listing = listings[exchange.target.listing](list, exchange.req);
      } catch (error) {
        deliver.fail(exchange, error);
        return;
      }
      deliver.list(exchange, listing);
    },
    failed(exchange, error) {
      deliver.fail(exchange, error);
    },
  };
  const askProvider = createAskProvider(settings, outcome);

  return handleRequest;
}
