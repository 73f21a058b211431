import { createEndpointRouter } from 'express-endpoint-listing';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { clusterBody, endpointsOf, providerOf } from '../lists.js';
import type { OtherServer, Variant } from '../variant.js';

const PATH = '/_api/cluster/endpoints';

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/** The parts that are used here. */
interface Hono {
  get(path: string, handler: (context: { json(value: unknown): unknown }) => unknown): void;
  all(
    path: string,
    handler: (context: { env: { incoming: IncomingMessage; outgoing: ServerResponse } }) => unknown,
  ): void;
  readonly fetch: unknown;
}
interface HonoOnNode {
  readonly createAdaptorServer: (options: { fetch: unknown }) => Server;
}
interface Koa {
  use(middleware: (context: KoaContext) => unknown): void;
  callback(): RequestListener;
}
interface KoaContext {
  readonly path: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  body: unknown;
  respond: boolean;
}
interface Polka {
  get(path: string, handler: RequestListener): void;
  use(middleware: Middleware): void;
  readonly handler: RequestListener;
}
interface H3 {
  get(path: string, handler: () => unknown): void;
  all(path: string, handler: unknown): void;
}
interface H3Module {
  readonly H3: new () => H3;
  readonly fromNodeHandler: (handler: Middleware) => unknown;
  readonly toNodeHandler: (app: H3) => RequestListener;
}
interface FastifyWithMiddleware {
  register(plugin: unknown): PromiseLike<unknown>;
  use(middleware: Middleware): void;
  ready(): PromiseLike<unknown>;
  readonly server: Server;
}

/** Some of them have no types, the types of others need those of a browser, or contradict each other. */
async function load<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}

/** What a host answers with: the listing as one writes it by hand there, or the router. */
interface Content {
  readonly list: readonly string[];
  readonly router: Middleware | undefined;
}

/** A server without Express, or with it inside of another framework; the router is mounted as that one takes a middleware. */
export function createOtherHost(server: OtherServer, { handler, size }: Variant): Promise<Server> {
  const list = endpointsOf(size);
  if (handler === 'naive') return HOSTS[server]({ list, router: undefined });
  const router = createEndpointRouter({ endpoints: providerOf(handler, list), role: 'coordinator' });
  return HOSTS[server]({ list, router: router as unknown as Middleware });
}

const HOSTS: Readonly<Record<OtherServer, (content: Content) => Promise<Server>>> = {
  async hono({ list, router }) {
    const { Hono } = await load<{ Hono: new () => Hono }>('hono');
    const { createAdaptorServer } = await load<HonoOnNode>('@hono/node-server');
    const { RESPONSE_ALREADY_SENT } = await load<Record<string, unknown>>('@hono/node-server/utils/response');
    const app = new Hono();
    if (router === undefined) app.get(PATH, (context) => context.json(clusterBody(list)));
    else {
      app.all('*', ({ env }) => {
        router(env.incoming, env.outgoing, notFound(env.outgoing));
        return RESPONSE_ALREADY_SENT;
      });
    }
    return createAdaptorServer({ fetch: app.fetch });
  },

  async koa({ list, router }) {
    const { default: Koa } = await load<{ default: new () => Koa }>('koa');
    const app = new Koa();
    app.use((context) => {
      if (router !== undefined) {
        context.respond = false;
        router(context.req, context.res, notFound(context.res));
      } else if (context.path === PATH) context.body = clusterBody(list);
    });
    return createServer(app.callback());
  },

  async polka({ list, router }) {
    const { default: polka } = await load<{ default: () => Polka }>('polka');
    const app = polka();
    if (router !== undefined) app.use(router);
    else app.get(PATH, sendJson(list));
    return createServer(app.handler);
  },

  async h3({ list, router }) {
    const { fromNodeHandler, H3, toNodeHandler } = await load<H3Module>('h3');
    const app = new H3();
    if (router === undefined) app.get(PATH, () => clusterBody(list));
    else app.all('/**', fromNodeHandler(router));
    return createServer(toNodeHandler(app));
  },

  async router({ list, router }) {
    const { default: createRouter } = await import('router');
    const routes = createRouter();
    if (router !== undefined) routes.use(router);
    else routes.get(PATH, sendJson(list));
    return createServer((req, res) => {
      routes(req, res, notFound(res));
    });
  },

  async connect({ list, router }) {
    const { default: connect } = await import('connect');
    const app = connect();
    if (router !== undefined) app.use(router);
    else app.use(PATH, sendJson(list));
    return createServer(app);
  },

  '@fastify/express': onFastify('@fastify/express'),
  '@fastify/middie': onFastify('@fastify/middie'),
};

function onFastify(plugin: string) {
  return async function createFastifyHost({ router }: Content): Promise<Server> {
    const { fastify } = await load<{ readonly fastify: () => FastifyWithMiddleware }>('fastify');
    const app = fastify();
    await app.register((await load<{ default: unknown }>(plugin)).default);
    if (router !== undefined) app.use(router);
    await app.ready();
    return app.server;
  };
}

/** What one writes where no framework has a word for it. */
function sendJson(list: readonly string[]): RequestListener {
  return (_req, res) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.end(JSON.stringify(clusterBody(list)));
  };
}

function notFound(res: ServerResponse): () => void {
  return () => {
    res.statusCode = 404;
    res.end();
  };
}
