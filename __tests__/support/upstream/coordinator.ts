import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenCuttable, type Cuttable } from '../process/cuttable.js';

/** What a stand-in does with a request. */
export type Reply =
  /** The cluster listing, as the reference server writes it. */
  | readonly string[]
  /** An error body of the reference server. */
  | { readonly code: number; readonly errorNum: number; readonly errorMessage: string }
  /** No answer. */
  | 'silence'
  /** Anything else. */
  | RequestListener;

/** A server that answers as a Coordinator of the reference server does, until it is made to answer otherwise. */
export interface Coordinator extends Pick<Cuttable, 'close'> {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** `tcp://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** What has been asked: `GET <target>`. */
  readonly requests: readonly string[];
  /** The headers of each request. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Connections that are open now. */
  readonly connections: () => number;
  /** The most requests that have been under way at the same time. */
  readonly mostAtOnce: () => number;
  /** Each request for a listing takes the next reply; the last one stays. */
  reply(...replies: readonly [Reply, ...Reply[]]): void;
}

/** Key and certificate make it an `https` server. */
export async function startCoordinator(
  first: Reply,
  tls?: { readonly key: string; readonly cert: string; readonly ca?: string; readonly requestCert?: boolean },
): Promise<Coordinator> {
  let queue: readonly Reply[] = [first];
  let [underWay, most] = [0, 0];
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const listener: RequestListener = (req, res) => {
    requests.push(`${String(req.method)} ${String(req.url)}`);
    headers.push(req.headers);
    underWay += 1;
    most = Math.max(most, underWay);
    res.once('close', () => (underWay -= 1));
    const [reply = first, ...rest] = queue;
    if (rest.length > 0) queue = rest;
    if (typeof reply === 'function') reply(req, res);
    else if (reply !== 'silence') send(res, reply);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const { port, sockets, close } = await listenCuttable(server);
  const address = `127.0.0.1:${String(port)}`;
  return {
    url: `http${tls === undefined ? '' : 's'}://${address}`,
    endpoint: `${tls === undefined ? 'tcp' : 'ssl'}://${address}`,
    requests,
    headers,
    connections: () => sockets.size,
    mostAtOnce: () => most,
    reply: (...replies) => {
      queue = replies;
    },
    close,
  };
}

/** Answers with a body of JSON as the reference server does. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, {
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    Server: 'ArangoDB',
  });
  res.end(JSON.stringify(body));
}

function send(res: ServerResponse, reply: Exclude<Reply, 'silence' | RequestListener>): void {
  if ('code' in reply) {
    const { code, errorMessage, errorNum } = reply;
    sendJson(res, code, { code, error: true, errorMessage, errorNum });
  } else {
    sendJson(res, 200, { error: false, code: 200, endpoints: reply.map((endpoint) => ({ endpoint })) });
  }
}

export const UNAUTHORIZED = { code: 401, errorNum: 11, errorMessage: 'not authorized to execute this request' };
export const FORBIDDEN = { code: 403, errorNum: 11, errorMessage: 'forbidden' };
export const NO_COORDINATOR = {
  code: 501,
  errorNum: 9,
  errorMessage: 'cannot serve this request for this deployment type',
};
export const STARTING = { code: 503, errorNum: 503, errorMessage: 'service unavailable' };
