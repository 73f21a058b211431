import createError, { type HttpError } from 'http-errors';
import type { Answer } from './answer.js';
import type { Exchange } from './exchange.js';

/** 2018-12-06, the day of version 3.4.0, in the form of RFC 9745. */
const DEPRECATED_SINCE = '@1544054400';
/** Relative (RFC 3986, section 4.2): right under every mount path and behind every proxy, and no part of the request comes back. */
const SUCCESSOR = '<../_api/cluster/endpoints>; rel="successor-version"';
const SUCCESSOR_BEHIND_SLASH = '<../../_api/cluster/endpoints>; rel="successor-version"';

/**
 * Writes an answer: the only place where one leaves. With the primitives of Node, so that neither a setting nor a patched
 * `res.json` of the host application changes a byte. Writes nothing when an answer has left already, or the client has.
 */
export function respond({ res, next, listing, trailingSlash }: Exchange, answer: Answer, hasSuccessor: boolean): void {
  if (res.writableEnded || res.destroyed) return;
  if (res.headersSent) {
    // Somebody began an answer that nobody can finish now; the host's error handling cuts the connection.
    next(createError(500, 'the headers of another answer were sent before'));
    return;
  }
  try {
    res.statusCode = answer.status;
    res.statusMessage = answer.statusText;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Length', answer.contentLength);
    res.setHeader('Cache-Control', 'no-store');
    if (answer.status === 405) allowGet(res);
    if (listing === 'server') {
      res.setHeader('Deprecation', DEPRECATED_SINCE);
      if (hasSuccessor) res.setHeader('Link', trailingSlash ? SUCCESSOR_BEHIND_SLASH : SUCCESSOR);
    }
    res.end(answer.body);
  } catch (error) {
    // A host that replaced one of these methods; after a promise, nobody but us would catch what it throws.
    next(error);
  }
}

/** Hands an error to the error handler of the host application. */
export function forward({ res, next }: Exchange, error: HttpError): void {
  if (res.writableEnded || res.destroyed) return;
  if (error.status === 405 && !res.headersSent) allowGet(res);
  next(error);
}

function allowGet(res: Exchange['res']): void {
  res.setHeader('Allow', 'GET');
}
