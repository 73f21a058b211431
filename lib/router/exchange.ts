import type { NextFunction, Request, Response } from 'express';

/** One request for one listing, on its way through the router. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** Hands the request, or an error, to the host application. */
  readonly next: NextFunction;
  readonly listing: 'cluster' | 'server';
  /** The name behind `/_db/` below the mount path, still percent-encoded; `undefined` without that prefix. */
  readonly rawDatabase: string | undefined;
  readonly trailingSlash: boolean;
}

/**
 * Both routes, letter for letter, with one trailing slash allowed and the query string ignored. The optional first group is the
 * scheme and authority of the absolute form (RFC 9112, section 3.2.2), which every server must accept.
 *
 * Matched raw and by hand: Express would decode the database name first, and render its own error page for `%zz`.
 */
const TARGET = /^(?:https?:\/\/[^/?#]*)?(?:\/_db\/([^/?#]+))?\/_api\/(cluster\/endpoints|endpoint)(\/?)(?:\?|$)/;

/** The exchange that a request begins, or `undefined` when its path is not one of ours. */
export function openExchange(req: Request, res: Response, next: NextFunction): Exchange | undefined {
  const match = TARGET.exec(req.url);
  if (match === null) return undefined;
  return {
    req,
    res,
    next,
    listing: match[2] === 'endpoint' ? 'server' : 'cluster',
    rawDatabase: match[1],
    trailingSlash: match[3] === '/',
  };
}
