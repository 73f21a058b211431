import createError, { type HttpError } from 'http-errors';
import type { Request, Response } from 'express';
import { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import { asHttpError, failureAnswer, type Report } from './failures.js';
import type { Settings } from './options.js';
import { refusalError, type Refusal } from './refusals.js';
import type { Exchange } from './target.js';

/** How requests end: one of the three, once. None of them throws. */
export interface Delivery {
  /** With a listing. */
  list(exchange: Exchange, answer: Answer): void;
  /** With a refusal, which is not reported: nothing is wrong with the host application. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  /** With whatever a callback of the host application threw; a 5xx is reported. */
  fail(exchange: Exchange, thrown: unknown): void;
}

/** Creates the delivery of a router: its errors it answers itself, or hands to the error handler of the host application. */
export function createDelivery(settings: Settings, report: Report): Delivery {
  /** Known without asking: a request that is refused or fails is no reason to call a role function, which may fail as well. */
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
   * Closes a connection whose answer cannot be written. Its error handling would write with the methods that failed just now, and
   * Express does so on a later turn of the event loop, where nobody catches what they throw.
   */
  function giveUp({ req, res }: Exchange, thrown: unknown): void {
    if (!res.writableEnded) res.destroy();
    report(asHttpError(thrown), req);
  }

  /** For the single-server listing the role decides a header only: a role function that fails costs the header, not the answer. */
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
 * Writes an answer: the only place where one leaves. With the primitives of Node, so that neither a setting nor a patched
 * `res.json` of the host application changes a byte. Writes nothing when an answer has left already, or the client has.
 *
 * Throws what a method of the response throws that the host application replaced.
 */
function write(exchange: Exchange, answer: Answer, hasSuccessor: boolean): void {
  const { req, res, next, target } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (res.headersSent) {
    // Another handler began an answer that nobody can finish now; the host's error handling closes the connection.
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
    // HTTP/2 has no place for it.
    if (req.httpVersionMajor === 1) res.statusMessage = answer.statusText;
    for (const [name, value] of head.lines) res.setHeader(name, value);
  }
  // Node puts the head of an answer that waits for its turn before whatever waits with it, and so before a "100 Continue", which
  // then stands in the body. A head that is flushed goes behind it.
  if (req.headers.expect !== undefined && res.socket === null) res.flushHeaders();
  if (req.method === 'HEAD') res.end();
  else if (isUntouched && answer.text !== undefined) res.end(answer.text, 'latin1');
  else res.end(answer.body);
}

const [SET_HEADER, WRITE_HEAD, END] = ['setHeader', 'writeHead', 'end'].map((name): unknown =>
  Reflect.get(ServerResponse.prototype, name),
);

/** Whether nobody, neither the host application nor a tracer of all servers, sees to the answer in a method of its own. */
function hasOriginalMethods(res: Response): boolean {
  return res.end === END && res.writeHead === WRITE_HEAD && res.setHeader === SET_HEADER;
}

/**
 * Whether one `writeHead` makes the same answer as a `setHeader` for each line: while no header is set, that costs a third less. It
 * leaves nothing for `getHeader` to find, so whoever waits for the end of the answer, to log its headers perhaps, gets the other way.
 */
function isUnobserved(res: Response): boolean {
  // Node itself is one who waits.
  return res.listenerCount('finish') <= 1 && res.getHeaderNames().length === 0;
}

/** Hands an error to the error handler of the host application. Throws what a replaced `setHeader` throws. */
function handOver(exchange: Exchange, error: HttpError): void {
  const { res, next } = exchange;
  if (res.writableEnded || hasLeft(exchange)) return;
  if (error.status === 405 && !res.headersSent) res.setHeader('Allow', 'GET');
  next(error);
}
