import createError, { type HttpError } from 'http-errors';
import type { Request, Response } from 'express';
import { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import { asHttpError, failureAnswer, type Report } from './failures.js';
import type { Settings } from './options.js';
import { refusalError, type Refusal } from './guard.js';
import type { Exchange } from './target.js';

/** The three ways in which a request ends, exactly once. None of them throws. */
export interface Delivery {
  /** With a listing. */
  list(exchange: Exchange, answer: Answer): void;
  /** With a refusal, which is not reported: it is not an error of the host application. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  /** With an error from a callback of the host application; a 5xx is reported. */
  fail(exchange: Exchange, thrown: unknown): void;
}

/** Creates the delivery of a router, which sends errors itself or passes them to the host application's error handler. */
export function createDelivery(settings: Settings, report: Report): Delivery {
  /** Known without a role function, which may fail as well and is not called for a request that is refused or fails. */
  const isAlwaysCoordinator = settings.role === 'coordinator';

  function respond(exchange: Exchange, answer: Answer, hasSuccessor: boolean): void {
    try {
      write(exchange, answer, hasSuccessor);
    } catch (thrown) {
      giveUp(exchange, thrown);
    }
  }

  function forward(exchange: Exchange, error: HttpError): void {
    try {
      handOver(exchange, error);
    } catch (thrown) {
      giveUp(exchange, thrown);
    }
  }

  /**
   * Closes a connection whose response cannot be written. Express's error handling would use the methods that just failed, on a later turn
   * of the event loop, where their errors would be uncaught.
   */
  function giveUp({ req, res }: Exchange, thrown: unknown): void {
    if (!res.writableEnded) res.destroy();
    report(asHttpError(thrown), req);
  }

  /** For the single-server listing, the role only decides a header: if a role function fails, only the header is missing. */
  function isCoordinatorNow(req: Request): boolean {
    try {
      return settings.isCoordinator();
    } catch (error) {
      report(asHttpError(error), req);
      return false;
    }
  }

  function list(exchange: Exchange, answer: Answer): void {
    respond(exchange, answer, exchange.target.listing === 'server' && isCoordinatorNow(exchange.req));
  }

  const responding: Delivery = {
    list,
    refuse(exchange, { answer }) {
      respond(exchange, answer, isAlwaysCoordinator);
    },
    fail(exchange, thrown) {
      const error = asHttpError(thrown);
      respond(exchange, failureAnswer(exchange.target.listing, error), isAlwaysCoordinator);
      if (error.status >= 500) report(error, exchange.req);
    },
  };
  const forwarding: Delivery = {
    list,
    refuse(exchange, refusal) {
      forward(exchange, refusalError(refusal));
    },
    fail(exchange, thrown) {
      const error = asHttpError(thrown);
      forward(exchange, error);
      if (error.status >= 500) report(error, exchange.req);
    },
  };
  return settings.errors === 'forward' ? forwarding : responding;
}

/** Whether the client has disconnected already. */
export function hasLeft({ req, res }: Exchange): boolean {
  return res.destroyed || req.socket.destroyed;
}

/**
 * Writes a response; nothing else does. It uses Node's primitives, so that neither a setting nor a patched `res.json` of the host application
 * changes a byte. It writes nothing if the response has ended or the client has disconnected.
 *
 * Throws what a replaced method of the response throws.
 */
function write(exchange: Exchange, answer: Answer, hasSuccessor: boolean): void {
  const { req, res, next, target } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (res.headersSent) {
    // Another handler already sent headers; let Express close the connection.
    next(createError(500, 'the headers of another answer were sent before'));
    return;
  }
  const head = !hasSuccessor
    ? answer.head
    : target.hasTrailingSlash
      ? answer.headWithLinkBehindSlash
      : answer.headWithLink;
  const isUntouched = hasOriginalMethods(res);
  if (isUntouched && isUnobserved(res)) {
    res.writeHead(answer.status, answer.statusText, head.flat);
  } else {
    res.statusCode = answer.status;
    // HTTP/2 has no reason phrase.
    if (req.httpVersionMajor === 1) res.statusMessage = answer.statusText;
    for (const [name, value] of head.lines) res.setHeader(name, value);
  }
  // In a pipelined response that waits for its turn, Node would put the head before a "100 Continue", which would then be part of the
  // body. A flushed head comes after it.
  if (req.headers.expect !== undefined && res.socket === null) res.flushHeaders();
  if (req.method === 'HEAD') res.end();
  else if (isUntouched && answer.text !== undefined) res.end(answer.text, 'latin1');
  else res.end(answer.body);
}

const [SET_HEADER, WRITE_HEAD, END] = ['setHeader', 'writeHead', 'end'].map((name): unknown =>
  Reflect.get(ServerResponse.prototype, name),
);

/** Whether neither the host application nor a tracer has replaced a method of the response. */
function hasOriginalMethods(res: Response): boolean {
  return res.end === END && res.writeHead === WRITE_HEAD && res.setHeader === SET_HEADER;
}

/**
 * Whether one `writeHead` has the same effect as a `setHeader` for each line: as long as no header is set, it costs a third less. `getHeader`
 * finds nothing afterwards, so a listener for `finish`, which may log headers, prevents it.
 */
function isUnobserved(res: Response): boolean {
  // One listener is Node's own.
  return res.listenerCount('finish') <= 1 && res.getHeaderNames().length === 0;
}

/** Passes an error to the host application's error handler. Throws what a replaced `setHeader` throws. */
function handOver(exchange: Exchange, error: HttpError): void {
  const { res, next } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (error.status === 405 && !res.headersSent) res.setHeader('Allow', 'GET');
  next(error);
}
