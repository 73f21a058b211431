import cors from 'cors';
import express, { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import otherExpress from 'other-express';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointQuery, type EndpointRouterOptions } from '../../lib/index.js';
import { behind, serve, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

declare const EXPRESS_MAJOR: 4 | 5;

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'] };

const LIST = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';
const CLUSTER = '/_api/cluster/endpoints';
const usual = (method = 'GET'): Promise<string> => usualAnswer(coordinator, request(method, CLUSTER));

const host = (): Express => express().disable('x-powered-by');

it('This suite runs on the major of Express that it says it runs on', () => {
  // Only the fourth has `express.query`.
  const majorOf = (module: object): number => ('query' in module ? 4 : 5);
  expect([majorOf(express), majorOf(otherExpress)]).toEqual([EXPRESS_MAJOR, 9 - EXPRESS_MAJOR]);
});

describe('The bytes are the same', () => {
  const mounts: [string, string, (app: Express, router: Router) => void][] = [
    ['at /', '', (app, router) => app.use(router)],
    ['at / by its name', '', (app, router) => app.use('/', router)],
    ['under one prefix segment', '/v1', (app, router) => app.use('/v1', router)],
    ['under two prefix segments', '/a/b', (app, router) => app.use('/a/b', router)],
    ['under a parameter', '/tenant-7', (app, router) => app.use('/:tenant', router)],
    ['under /_db/:any, in _system', '/_db/_system', (app, router) => app.use('/_db/:any', router)],
    ['under /_db/:any, in an encoded _system', '/_db/%5Fsystem', (app, router) => app.use('/_db/:any', router)],
    ['with the prefix below the mount path', '/v1/_db/_system', (app, router) => app.use('/v1', router)],
    ['in a nested router', '/a/b', (app, router) => app.use('/a', Router().use('/b', router))],
    [
      'in a mounted application',
      '/sub',
      (app, router) => app.use('/sub', express().disable('x-powered-by').use(router)),
    ],
    ['with json spaces', '', (app, router) => app.set('json spaces', 2).use(router)],
    ['with a json replacer', '', (app, router) => app.set('json replacer', () => 1).use(router)],
    ['with json escape', '', (app, router) => app.enable('json escape').use(router)],
    ['with etag on', '', (app, router) => app.set('etag', 'strong').use(router)],
    ['with etag off', '', (app, router) => app.disable('etag').use(router)],
    ['with strict routing', '', (app, router) => app.enable('strict routing').use(router)],
    ['with case sensitive routing', '', (app, router) => app.enable('case sensitive routing').use(router)],
    ['with trust proxy', '', (app, router) => app.enable('trust proxy').use(router)],
    ['with a patched res.json, res.send and res.status', '', (app, router) => app.use(patchResponse).use(router)],
    ['behind a status, its text and headers set before', '', (app, router) => app.use(presetResponse).use(router)],
  ];
  function patchResponse(_req: Request, res: Response, next: NextFunction): void {
    res.json = () => res.end('patched json');
    res.send = () => res.end('patched send');
    res.status = () => res;
    next();
  }
  function presetResponse(_req: Request, res: Response, next: NextFunction): void {
    res.statusCode = 418;
    res.statusMessage = 'Teapot';
    res.setHeader('Content-Type', 'text/html');
    res.setHeader('Content-Length', '3');
    next();
  }

  it.each(mounts)('%s', async (_where, prefix, mount) => {
    const app = host();
    mount(app, createEndpointRouter(coordinator));
    const target = `${prefix}/_api/cluster/endpoints`;
    expect(sorted(await rawAnswer(serve(app), request('GET', target)))).toBe(sorted(await usual()));
    expect(sorted(await rawAnswer(serve(app), request('POST', target)))).toBe(sorted(await usual('POST')));
  });

  /** A header that a host had set before keeps its place. */
  function sorted(answer: string): string {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return [...head.split('\r\n').sort(), body].join('\n');
  }

  it.each<[string, (router: Router) => RequestListener]>([
    ['in an application of the other major', (router) => otherExpress().disable('x-powered-by').use(router, notOurs)],
    [
      'in a plain http.createServer, without Express around it',
      (router) => (req, res) => {
        router(req as Request, res as Response, notOurs.bind(undefined, req, res));
      },
    ],
  ])('%s', async (_where, mount) => {
    const server = (): Server => createServer(mount(createEndpointRouter(coordinator)));
    expect(await rawAnswer(server(), request('GET', CLUSTER))).toBe(await usual());
    expect(await rawAnswer(server(), request('POST', CLUSTER))).toBe(await usual('POST'));
    expect((await supertest(server()).get('/other')).text).toBe('not ours');
  });

  function notOurs(_req: unknown, res: ServerResponse): void {
    res.writeHead(299).end('not ours');
  }
});

describe('An application of the other major', () => {
  const endpoints = (): Promise<never> => Promise.reject(new Error('x'));

  it('is told once when the provider rejects', async () => {
    const onError = jest.fn();
    const app = otherExpress().use(createEndpointRouter({ endpoints, onError }));
    await supertest(serve(app)).get('/_api/endpoint').expect(500);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('gets errors in its error handler', async () => {
    const app = otherExpress().use(createEndpointRouter({ endpoints, errors: 'forward' }));
    app.use((error: { status: number }, _req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error);
      else res.status(299).send(String(error.status));
    });
    expect((await supertest(serve(app)).get('/_api/endpoint')).text).toBe('500');
  });
});

describe('A plain http.Server has no setting env, and NODE_ENV counts', () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const before = process.env['NODE_ENV'];
  afterEach(() => {
    process.env['NODE_ENV'] = before;
    printed.mockClear();
  });
  afterAll(() => printed.mockRestore());

  it.each([
    ['test', 0],
    ['production', 1],
  ])('%s: %i errors printed', async (environment, times) => {
    process.env['NODE_ENV'] = environment;
    const router = createEndpointRouter({ endpoints: () => Promise.reject(new Error('x')) });
    const server = createServer((req, res) => {
      router(req as Request, res as Response, () => undefined);
    });
    expect((await supertest(server).get('/_api/endpoint')).status).toBe(500);
    expect(printed).toHaveBeenCalledTimes(times);
  });
});

it('A mount path that ends where the name of a database should stand, names none: 400 / 1229, also where the cluster route answers in any database', async () => {
  const router = createEndpointRouter({ ...coordinator, clusterDatabases: 'any' });
  const response = await supertest(serve(host().use('/_db', router))).get('/_db/_api/cluster/endpoints');
  expect([response.status, response.text]).toEqual([
    400,
    '{"code":400,"error":true,"errorMessage":"database name invalid","errorNum":1229}',
  ]);
});

it('Of the databases that a URL names, the provider is asked for the first other than _system', async () => {
  const endpoints = ({ database }: EndpointQuery): string[] => [`tcp://${database}`];
  const router = createEndpointRouter({ role: 'coordinator', clusterDatabases: 'any', endpoints });
  const agent = supertest(serve(host().use('/_db/:any', router)));
  for (const names of ['/_db/one/_db/two', '/_db/_system/_db/one']) {
    expect((await agent.get(names + CLUSTER)).text).toBe(LIST.replace('a:1', 'one:8529'));
  }
});

it.each<[mount: string | RegExp, path: string, status: number]>([
  ['/_db/:any', '/_db/%5fsystem%20/_api/endpoint', 400],
  ['/:a/:b', '/%5Fdb/other/_api/endpoint', 400],
  ['/:a/:b', '/%5Fdb/%5Fsystem/_api/endpoint', 200],
  ['/:a/:b', '/tenant/other/_api/endpoint', 200],
  ['/:tenant', '/_db%2F_system/_api/endpoint', 200],
  ['/:tenant', '/_db%2Fother/_api/endpoint', 400],
  ['/:tenant', '/%5Fdb%2fother/_api/endpoint', 400],
  ['/_db/:any', '/_db/other/_db/_system/_api/endpoint', 400],
  ['/_db/:any', '/_db/_system/_db/_system/_api/endpoint', 200],
  // An empty segment counts for nothing.
  ['/_db//:any', '/_db//_system/_api/endpoint', 200],
  ['/v1/_db/:any/x', '/v1/_db/other/x/_api/endpoint', 400],
  [/^\/_db\/[^/]+/, '/_db/other/_api/endpoint', 400],
  [/^\/_db\/[^/]+/, '/_db/%zz/_api/endpoint', 400],
])('No way of mounting opens another database: %s: %s: %i', async (mount, path, status) => {
  const app = host().use(mount, createEndpointRouter(coordinator)).use(behind);
  await supertest(serve(app)).get(path).expect(status);
});

describe('A host application', () => {
  it('may answer the same path before us', async () => {
    const app = host();
    app.post('/_api/endpoint', (_req, res) => void res.send('mine'));
    app.use(createEndpointRouter({ endpoints: [] }));
    expect((await supertest(serve(app)).post('/_api/endpoint')).text).toBe('mine');
    expect((await supertest(serve(app)).get('/_api/endpoint')).text).toBe('[]');
  });

  it('that mounts cors() before us answers preflights, and adds its headers to our answers', async () => {
    const app = host().use(cors(), createEndpointRouter(coordinator));
    const preflight = await supertest(serve(app))
      .options('/_api/cluster/endpoints')
      .set('Origin', 'http://browser.example')
      .set('Access-Control-Request-Method', 'GET')
      .set('Access-Control-Request-Headers', 'authorization,x-arango-driver,x-arango-version');
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'authorization,x-arango-driver,x-arango-version',
    ]);
    const response = await supertest(serve(app)).get('/_api/cluster/endpoints').set('Origin', 'http://browser.example');
    expect([response.text, response.headers['access-control-allow-origin']]).toEqual([LIST, '*']);
  });

  it('may add to the router, as to any Router: what is not ours passes through it', async () => {
    const router = createEndpointRouter(coordinator);
    router.get('/own/:id', (req, res) => void res.send(`own ${req.baseUrl} ${req.params.id}`));
    router.use((req, _res, next) => {
      Object.assign(req, { hasPassed: true });
      next();
    });
    const app = host().use('/v1', router);
    app.use((req, res) => void res.send('hasPassed' in req ? 'passed' : 'not passed'));
    const agent = supertest(serve(app));
    expect((await agent.get('/v1/_api/cluster/endpoints')).text).toBe(LIST);
    expect((await agent.get('/v1/own/7')).text).toBe('own /v1 7');
    expect((await agent.get('/v1/other')).text).toBe('passed');
    expect((await agent.get('/other')).text).toBe('not passed');
  });

  it('may mount the router in a Router, with handlers before and behind it', async () => {
    const before = jest.fn((_req: Request, _res: Response, next: NextFunction) => next());
    const behindIt = jest.fn((_req: Request, _res: Response, next: NextFunction) => next());
    const router = Router().use(before).use(createEndpointRouter(coordinator)).use(behindIt);
    const agent = supertest(serve(host().use(router)));
    expect((await agent.get('/_api/cluster/endpoints')).text).toBe(LIST);
    expect([before.mock.calls.length, behindIt.mock.calls.length]).toEqual([1, 0]);
    expect((await agent.get('/other')).status).toBe(404);
    expect([before.mock.calls.length, behindIt.mock.calls.length]).toEqual([2, 1]);
  });

  it('may call the handle of the router, as Express does', async () => {
    const router = createEndpointRouter(coordinator) as Router & { handle: Router };
    const app = host().use((req, res, next) => {
      router.handle(req, res, next);
    });
    expect((await supertest(serve(app)).get('/_api/cluster/endpoints')).text).toBe(LIST);
  });

  it('gets its request back unchanged', async () => {
    const seen: string[][] = [];
    const app = host()
      .use((req, _res, next) => {
        seen.push(Object.keys(req).sort());
        next();
      })
      .use('/v1', createEndpointRouter({ endpoints: [] }))
      .use((req, res) => {
        seen.push(Object.keys(req).sort());
        res.send(`${req.url} ${req.baseUrl} ${req.originalUrl}`);
      });
    expect((await supertest(serve(app)).get('/v1/other?x=1')).text).toBe('/v1/other?x=1  /v1/other?x=1');
    expect(seen[1]).toEqual(seen[0]);
  });
});
