import compression from 'compression';
import express, { type Express, type RequestHandler, type Response } from 'express';
import session from 'express-session';
import morgan from 'morgan';
import { ServerResponse } from 'node:http';
import responseTime from 'response-time';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serve, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

/** Answers of every length and alphabet. */
const LISTS: Record<string, readonly string[]> = {
  empty: [],
  short: ['tcp://a:1', 'ssl://[::1]:2'],
  'with letters beyond ASCII': ['unix:///tmp/größer/€'],
  long: Array.from({ length: 2000 }, (_, index) => `tcp://h${String(index)}`),
};

const HOSTS: [string, RequestHandler][] = [
  ['in which no header is set', pass],
  ['that sets a header', middleware((res) => res.setHeader('X-Host', 'yes'))],
  ['that has replaced res.end', middleware((res) => Object.assign(res, { end: withoutEncoding(res) }))],
  ['that has replaced res.writeHead', middleware((res) => Object.assign(res, { writeHead: res.writeHead.bind(res) }))],
  ['that has replaced res.setHeader', middleware((res) => Object.assign(res, { setHeader: res.setHeader.bind(res) }))],
  ['that waits for the end of the answer', middleware((res) => res.on('finish', () => undefined))],
  ['behind compression', compression()],
];

function pass(_req: unknown, _res: unknown, next: () => void): void {
  next();
}

/** An `end` that takes a body and nothing else. */
function withoutEncoding(res: Response): (body?: unknown) => Response {
  const end = res.end.bind(res);
  return (body) => end(body);
}

function middleware(change: (res: Response) => unknown): RequestHandler {
  return (_req, res, next) => {
    change(res);
    next();
  };
}

function host(before: RequestHandler, options: EndpointRouterOptions): Express {
  const app = express().disable('x-powered-by');
  return app.use(before, createEndpointRouter({ role: 'coordinator', onError: () => undefined, ...options }));
}

/** The lines of an answer without those that a host adds, in an order of their own, and its body. */
function parts(answer: string): string[] {
  const end = answer.indexOf('\r\n\r\n');
  const [status = '', ...lines] = answer.slice(0, end).split('\r\n');
  return [status, ...lines.filter((line) => !/^(X-Host|Vary):/i.test(line)).sort(), answer.slice(end + 4)];
}

describe.each(HOSTS)('A host %s', (_what, before) => {
  it.each<[what: string, requests: readonly string[], endpoints?: readonly string[]]>([
    ...Object.entries(LISTS).map(([length, endpoints]): [string, string[], readonly string[]] => [
      `a list that is ${length}`,
      [request('GET', SERVER), request('GET', `${SERVER}/`)],
      endpoints,
    ]),
    ['refusals', [request('POST', CLUSTER)]],
    ['HTTP/1.0', [`GET ${CLUSTER} HTTP/1.0\r\n\r\n`]],
  ])('gets the same answer as any other: %s', async (_what, requests, endpoints = []) => {
    for (const bytes of requests) {
      const options = { role: 'coordinator', endpoints: () => endpoints } as const;
      expect(parts(await rawAnswer(serve(host(before, options)), bytes))).toEqual(
        parts(await usualAnswer(options, bytes)),
      );
    }
  });

  it('finds the head sent, and its status, when the answer has left', async () => {
    const seen: unknown[] = [];
    const app = express()
      .disable('x-powered-by')
      .use(before, (req, res, next) => {
        createEndpointRouter({ endpoints: [] })(req, res, next);
        seen.push(res.headersSent, res.writableEnded, res.statusCode, res.statusMessage);
      });
    await supertest(serve(app)).get(SERVER);
    expect(seen).toEqual([true, true, 200, 'OK']);
  });

  it('whose connection has gone gets nothing, and no error', async () => {
    const onError = jest.fn();
    const gone: Response[] = [];
    const app = express().use(
      before,
      middleware((res) => gone.push(res.destroy())),
      createEndpointRouter({ endpoints: [], onError }),
    );
    for (const method of ['GET', 'POST']) expect(await rawAnswer(serve(app), request(method, SERVER))).toBe('');
    expect(gone).toMatchObject(Array(2).fill({ headersSent: false }));
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('The headers of the host', () => {
  it('are kept, and ours win over those of the same name', async () => {
    const app = host(
      middleware((res) => {
        res.setHeader('X-Host', 'yes').setHeader('Content-Type', 'text/html');
        res.statusCode = 418;
      }),
      { endpoints: [] },
    );
    const { status, headers } = await supertest(serve(app)).get(CLUSTER);
    expect([status, headers['x-host'], headers['content-type']]).toEqual([
      200,
      'yes',
      'application/json; charset=utf-8',
    ]);
  });

  it('may be read when the answer has finished', async () => {
    const seen: unknown[] = [];
    const app = host(
      middleware((res) => res.on('finish', () => seen.push(res.getHeader('content-length')))),
      { endpoints: [] },
    );
    await supertest(serve(app)).get(SERVER);
    expect(seen).toEqual(['2']);
  });

  it('may be set at the last moment, by a writeHead of its own', async () => {
    const app = host(
      middleware((res) => {
        const writeHead = res.writeHead.bind(res);
        res.writeHead = (status: number) => {
          res.setHeader('X-Late', String(res.getHeader('content-length')));
          return writeHead(status);
        };
      }),
      { endpoints: [] },
    );
    expect((await supertest(serve(app)).get(SERVER)).headers['x-late']).toBe('2');
  });

  it('may be set by a writeHead that the application or all of Node has', async () => {
    const original = Object.getOwnPropertyDescriptor(ServerResponse.prototype, 'writeHead');
    const writeHead = Reflect.get(ServerResponse.prototype, 'writeHead') as (
      this: Response,
      status: number,
    ) => Response;
    const app = host(pass, { endpoints: [] });
    function late(this: Response, status: number): Response {
      this.setHeader('X-Late', String(this.getHeader('content-length')));
      return writeHead.call(this, status);
    }
    Object.assign(ServerResponse.prototype, { writeHead: late });
    try {
      expect((await supertest(serve(app)).get(SERVER)).headers['x-late']).toBe('2');
    } finally {
      Object.defineProperty(ServerResponse.prototype, 'writeHead', original ?? {});
    }
    Object.assign(app.response, { writeHead: late });
    expect((await supertest(serve(app)).get(SERVER)).headers['x-late']).toBe('2');
  });
});

describe('Middleware of others before the router', () => {
  const logged: string[] = [];
  const log = morgan(':status :res[content-length] :res[content-type]', {
    stream: { write: (line) => void logged.push(line) },
  });

  it.each<[what: string, RequestHandler, header: string, value: RegExp]>([
    [
      'express-session sets its cookie',
      session({ secret: 'x', resave: true, saveUninitialized: true }),
      'set-cookie',
      /^connect\.sid=/,
    ],
    [
      'response-time, and whatever else uses on-headers, sets its header',
      responseTime(),
      'x-response-time',
      /^[\d.]+ms$/,
    ],
    ['compression compresses a body that it is asked to', compression({ threshold: 0 }), 'content-encoding', /^gzip$/],
    ['morgan logs the status and the headers of the answer', log, 'content-length', /^33$/],
  ])('%s', async (_what, before, header, value) => {
    const app = host(before, { role: 'single', endpoints: ['unix:///größer'] });
    const { headers, text } = await supertest(serve(app)).get(SERVER).set('Accept-Encoding', 'gzip');
    expect([text, String(headers[header])]).toEqual(['[{"endpoint":"unix:///größer"}]', expect.stringMatching(value)]);
  });

  afterAll(() => expect(logged).toEqual(['200 33 application/json; charset=utf-8\n']));
});

it.each<[string, RequestHandler]>([
  ['no header is set', pass],
  ['a header is set', middleware((res) => res.setHeader('X-Host', 'yes'))],
])('Head and body leave in one piece where the body is short and %s', async (_when, before) => {
  const pieces: string[] = [];
  const app = host(
    (req, res, next) => {
      const write = jest.spyOn(req.socket, 'write');
      before(req, res, next);
      pieces.push(...write.mock.calls.map(([piece]) => String(piece)).filter((piece) => piece !== ''));
      write.mockRestore();
    },
    { endpoints: ['tcp://a:1'] },
  );
  const { status } = await supertest(serve(app)).get(SERVER);
  expect([status, pieces.length]).toEqual([200, 1]);
  expect(pieces[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\n\[\{"endpoint":"http:\/\/a:1"\}\]$/);
});
