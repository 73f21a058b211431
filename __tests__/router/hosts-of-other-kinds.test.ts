import express, { Router, type Request } from 'express';
import { createServer, type RequestListener, type Server } from 'node:http';
import otherExpress from 'other-express';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serve } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

declare const IS_LONG_RUN: boolean;

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';
const LIST = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';
const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'] };

/** Everything in which such a host may hold the router. */
type Handler = (req: never, res: never, next: (error?: unknown) => void) => void;
const HANDLERS: [string, () => Handler][] = [
  ['the router', () => createEndpointRouter(coordinator)],
  ['an Express application with the router', () => express().use(createEndpointRouter(coordinator))],
  ['an Express application of the other major', () => otherExpress().use(createEndpointRouter(coordinator))],
  ['a Router with the router', () => Router().use(createEndpointRouter(coordinator))],
];

type Host = [name: string, mount: (path: string, handler: Handler) => Promise<Server>];
type Application = RequestListener & { use(path: string, handler: Handler): Application };
interface Fastify {
  register(plugin: unknown): PromiseLike<unknown>;
  use(path: string, handler: Handler): void;
  ready(): PromiseLike<unknown>;
  readonly server: Server;
}

const onFastify = (plugin: string): Host => [
  plugin,
  async (path, handler) => {
    const app = jest.requireActual<() => Fastify>('fastify')();
    await app.register(jest.requireActual(plugin));
    app.use(path, handler);
    await app.ready();
    return app.server;
  },
];

/** Hosts that mount a handler at a path and do not set `req.baseUrl`; those of others, from `tools/`, in the long run. */
const HOSTS: Host[] = [
  [
    'a server written by hand',
    (path, handler) =>
      Promise.resolve(
        byHand((req, next) => {
          const { url } = req;
          Object.assign(req, { originalUrl: url, url: url.slice(path.length) });
          next(handler);
        }),
      ),
  ],
];
if (IS_LONG_RUN) {
  const connect = (): Application => jest.requireActual<() => Application>('connect')();
  HOSTS.push(
    ['connect', (path, handler) => Promise.resolve(createServer(connect().use(path, handler)))],
    onFastify('@fastify/middie'),
    onFastify('@fastify/express'),
  );
}

function byHand(step: (req: Request, next: (handler: Handler) => void) => void): Server {
  const listener: RequestListener = (req, res) =>
    step(req as Request, (handler) => handler(req as never, res as never, () => res.writeHead(299).end('not ours')));
  return createServer(listener);
}

describe.each(HOSTS)('In a host of %s', (_host, mount) =>
  describe.each(HANDLERS)('that mounts %s', (_handler, create) => {
    it.each([
      ['/v1', '/v1', 200],
      ['/_db/_system', '/_db/_system', 200],
      ['/_db/other', '/_db/other', 400],
      ['/v1/_db/other', '/v1/_db/other', 400],
    ])('at %s, the routes answer as its database says: %s, %i', async (path, prefix, status) => {
      const agent = supertest(await mount(path, create()));
      const response = await agent.get(prefix + SERVER);
      expect([response.status, response.body]).toMatchObject([status, status === 200 ? [{}] : { errorNum: 1230 }]);
      await agent.get(prefix + CLUSTER).expect(status === 200 ? 200 : 403);
    });

    it('at /v1, the database below the mount path counts as everywhere', async () => {
      const server = await mount('/v1', create());
      expect((await supertest(server).get(`/v1/_db/_system${CLUSTER}`)).text).toBe(LIST);
      expect((await supertest(server).get(`/v1/_db/other${CLUSTER}`)).status).toBe(403);
    });
  }),
);

describe('A database that the host application has consumed, in any spelling', () => {
  const behindPrefix = (prefix: string): Server =>
    byHand((req, next) => {
      Object.assign(req, { originalUrl: req.url, url: req.url.slice(prefix.length) });
      next(createEndpointRouter(coordinator));
    });

  it.each([
    ['/_DB/other', 400, 1230],
    ['/%5Fdb/other', 400, 1230],
    ['/%5f%64%62/other', 400, 1230],
    ['/%5f%44%42/other', 400, 1230],
    ['/_db%2Fother', 400, 1230],
    ['/_db%2fother', 400, 1230],
    ['/x%2F_db%2Fother', 400, 1230],
    ['/_db%2F/other', 400, 1230],
    ['/_db//other', 400, 1230],
    ['//_db/other', 400, 1230],
    ['/_db/_system%2Fother', 400, 1230],
    ['/_db/http://h/_system', 400, 1230],
    ['/_db/_system/_db/other', 400, 1230],
    ['/_db/%255Fsystem', 400, 1230],
    ['/_db/%zz', 400, 1229],
    ['/_db%2F%zz', 400, 1229],
    ['/_db', 400, 1229],
    ['/_db/', 400, 1229],
  ])('is refused: %s, %i / %i', async (prefix, status, errorNum) => {
    const response = await supertest(behindPrefix(prefix)).get(prefix + SERVER);
    expect([response.status, response.body]).toMatchObject([status, { errorNum }]);
  });

  it.each([
    '/_db/_system',
    '/_DB/%5Fsystem',
    '/_db%2F_system',
    '/my_db/other',
    '/_dbs/other',
    '/_db.x/other',
    '/db/other',
    '/%zz/other',
  ])('is no other than _system, or none at all: %s', async (prefix) => {
    expect((await supertest(behindPrefix(prefix)).get(prefix + SERVER)).status).toBe(200);
  });
});

describe('A host application that rewrites req.url', () => {
  const rewriting = (target: string, options: Partial<EndpointRouterOptions> = {}): Server => {
    const app = express();
    app.use((req, _res, next) => {
      req.url = target;
      next();
    });
    app.use(createEndpointRouter({ ...coordinator, ...options }));
    return serve(app);
  };

  it.each([
    '/nodes',
    '/db/other/nodes',
    '/nodes?x=/_db/other/',
    '/nodes?x=/_db/other/_api/endpoint',
    '/v1/_api/endpoint?x=1',
    '/_db/_system/nodes',
  ])('from %s goes on working', async (path) => {
    expect((await supertest(rewriting(SERVER)).get(path)).status).toBe(200);
  });

  it.each([
    ['/_db/other/_api/endpoint', 400, 1230],
    ['/_db/other/nodes', 400, 1230],
    ['/tenants/_db%2Fother/nodes?x=1', 400, 1230],
    ['/_db/%zz/nodes', 400, 1229],
    ['/_db?x=1', 400, 1229],
  ])('and strips the database from %s is refused: %i / %i', async (path, status, errorNum) => {
    const response = await supertest(rewriting(SERVER)).get(path);
    expect([response.status, response.body]).toMatchObject([status, { errorNum }]);
  });

  it('to another database is refused by that', async () => {
    expect((await supertest(rewriting(`/_db/other${SERVER}`)).get('/_db/_system/_api/endpoint')).status).toBe(400);
  });

  it.each(['/_db/other', '_db/other'])(
    'and names another database in req.baseUrl alone is refused by that: %s',
    async (baseUrl) => {
      const server = byHand((req, next) => {
        Object.assign(req, { baseUrl, originalUrl: SERVER, url: SERVER });
        next(createEndpointRouter(coordinator));
      });
      expect((await supertest(server).get(SERVER)).status).toBe(400);
    },
  );

  it('and originalUrl with it hides the database: that, nobody can see', async () => {
    const server = byHand((req, next) => {
      Object.assign(req, { originalUrl: SERVER, url: SERVER });
      next(createEndpointRouter(coordinator));
    });
    expect((await supertest(server).get(`/_db/other${SERVER}`)).status).toBe(200);
  });
});

describe('databaseName', () => {
  const databaseName = (req: Request): string => String(req.params['db']);
  const at = (path: string, router = createEndpointRouter({ ...coordinator, databaseName })): Server =>
    serve(express().use(path, router));

  it('sees the parameters of the mount', async () => {
    expect((await supertest(at('/t/:db')).get(`/t/_system${CLUSTER}`)).text).toBe(LIST);
    expect((await supertest(at('/t/:db')).get(`/t/other${CLUSTER}`)).status).toBe(403);
    expect((await supertest(at('/t/:db')).get(`/t/%5Fsystem${SERVER}`)).status).toBe(200);
  });

  it('sees them also in a router that merges its own', async () => {
    const router = Router({ mergeParams: true }).use(createEndpointRouter({ ...coordinator, databaseName }));
    expect((await supertest(at('/t/:db', router)).get(`/t/_system${SERVER}`)).status).toBe(200);
    expect((await supertest(at('/t/:db', router)).get(`/t/other${SERVER}`)).status).toBe(400);
  });

  it('is asked in a plain http.Server too, which knows neither a mount path nor an original URL', async () => {
    const router = createEndpointRouter({ ...coordinator, databaseName: (req) => String(req.headers['x-database']) });
    const server = byHand((_req, next) => next(router));
    expect((await supertest(server).get(SERVER).set('x-database', '_system')).status).toBe(200);
    expect((await supertest(server).get(SERVER).set('x-database', 'other')).status).toBe(400);
    expect((await supertest(server).get(`/_db/other${SERVER}`).set('x-database', '_system')).status).toBe(400);
  });

  it('does not open what the URL names besides', async () => {
    expect((await supertest(at('/t/:db')).get(`/t/_system/_db/other${SERVER}`)).status).toBe(400);
    expect((await supertest(at('/_db/x/:db')).get(`/_db/x/_system${SERVER}`)).status).toBe(400);
  });
});

describe('The absolute form of a request target', () => {
  const app = express().use('/v1', createEndpointRouter(coordinator)).use(createEndpointRouter(coordinator));

  it.each([
    ['HTTP://h/_api/endpoint', 200],
    ['HTTPS://h/_db/_system/_api/endpoint', 200],
    ['http://h/v1/_api/endpoint', 200],
    ['http://_db/_api/endpoint', 200],
    ['http://_db/v1/_api/endpoint', 200],
    ['http://h_db/v1/_api/endpoint', 200],
    ['HTTP://h/_db/other/_api/endpoint', 400],
    ['http://h/v1/_db/other/_api/endpoint', 400],
  ])('%s: %i', async (target, status) => {
    const answer = await rawAnswer(serve(app), request('GET', target));
    expect(answer.split(' ', 2)).toEqual(['HTTP/1.1', String(status)]);
  });

  it('names no database where a host without baseUrl has consumed /_db alone: 400', async () => {
    const server = byHand((req, next) => {
      Object.assign(req, { originalUrl: req.url, url: `http://h${CLUSTER}` });
      next(createEndpointRouter(coordinator));
    });
    expect(await rawAnswer(server, request('GET', `http://h/_db${CLUSTER}`))).toMatch(/^HTTP\/1\.1 400 /);
  });
});
