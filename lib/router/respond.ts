import createError, { type HttpError } from 'http-errors';
import type { Answer } from './answer.js';
import { hasLeft } from './departure.js';
import type { Exchange } from './exchange.js';

/** 2018-12-06, the day of version 3.4.0, in the form of RFC 9745. */
const DEPRECATED_SINCE = '@1544054400';
/** Relative (RFC 3986, section 4.2): right under every mount path and behind every proxy, and no part of the request comes back. */
const SUCCESSOR = '<../_api/cluster/endpoints>; rel="successor-version"';
const SUCCESSOR_BEHIND_SLASH = '<../../_api/cluster/endpoints>; rel="successor-version"';

/**
 * Writes an answer: the only place where one leaves. With the primitives of Node, so that neither a setting nor a patched
 * `res.json` of the host application changes a byte. Writes nothing when an answer has left already, or the client has.
 *
 * Throws what a method of the response throws that the host application replaced.
 */
export function respond(exchange: Exchange, answer: Answer, hasSuccessor: boolean): void {
  const { req, res, next, listing, trailingSlash } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (res.headersSent) {
    // Somebody began an answer that nobody can finish now; the host's error handling cuts the connection.
    next(createError(500, 'the headers of another answer were sent before'));
    return;
  }
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
  // Node puts the head of an answer that waits for its turn before whatever waits with it, and so before a "100 Continue", which
  // then stands in the body. A head that is flushed goes behind it.
  if (res.socket === null && req.headers.expect !== undefined) res.flushHeaders();
  res.end(answer.body);
}

/** Hands an error to the error handler of the host application. Throws what a replaced `setHeader` throws. */
export function forward(exchange: Exchange, error: HttpError): void {
  const { res, next } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (error.status === 405 && !res.headersSent) allowGet(res);
  next(error);
}

/**
 * Closes the connection of an exchange whose answer cannot be written. Its error handling would write with the methods that
 * failed just now, and Express does so on a later turn of the event loop, where nobody catches what they throw.
 */
export function cut({ res }: Exchange): void {
  if (!res.writableEnded) res.destroy();
}

function allowGet(res: Exchange['res']): void {
  res.setHeader('Allow', 'GET');
}
