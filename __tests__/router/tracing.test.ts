import { context, SpanKind, trace } from '@opentelemetry/api';
import type { InstrumentationBase } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import express, { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import { tracingChannel } from 'node:diagnostics_channel';
import http from 'node:http';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

declare const EXPRESS_MAJOR: 4 | 5;

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'], onError: () => undefined };
const CLUSTER_BODY = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';

describe('OpenTelemetry', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const instrumentations: InstrumentationBase[] = [new HttpInstrumentation(), new ExpressInstrumentation()];

  /** What the instrumentations do to each module that Node loads: jest loads modules in a way that they do not see. */
  const modules: Record<string, unknown> = { http, express };
  const patch = (how: 'patch' | 'unpatch'): void => {
    for (const instrumentation of instrumentations) {
      for (const definition of instrumentation.getModuleDefinitions()) {
        if (Object.hasOwn(modules, definition.name)) definition[how]?.(modules[definition.name], '5.0.0');
      }
    }
  };

  beforeAll(() => {
    provider.register();
    for (const instrumentation of instrumentations) instrumentation.setTracerProvider(provider);
    patch('patch');
  });
  afterAll(async () => {
    patch('unpatch');
    await provider.shutdown();
    trace.disable();
    context.disable();
  });

  /** The span of the server for one request. */
  async function spanOf(app: Express, path: string, method: 'get' | 'post' = 'get'): Promise<ReadableSpan> {
    exporter.reset();
    await supertest(serve(app))[method](path);
    await new Promise(setImmediate);
    const span = exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER);
    if (span === undefined) throw new Error('the server has no span');
    return span;
  }
  const routeOf = async (...request: Parameters<typeof spanOf>): Promise<unknown> =>
    (await spanOf(...request)).attributes['http.route'];

  it('names the route of every request that is ours, below its mount path', async () => {
    const app = express().use('/v1', createEndpointRouter(coordinator)).use(createEndpointRouter(coordinator));
    expect(await routeOf(app, '/_api/cluster/endpoints')).toBe('/_api/cluster/endpoints');
    expect(await routeOf(app, '/_api/endpoint/?x=1')).toBe('/_api/endpoint');
    expect(await routeOf(app, '/v1/_api/cluster/endpoints')).toBe('/v1/_api/cluster/endpoints');
    expect(await routeOf(app, '/_api/endpoint', 'post')).toBe('/_api/endpoint');
    expect(await routeOf(app, '/_db/_system/_api/endpoint')).toBe('/_db/:database/_api/endpoint');
    expect(await routeOf(app, '/v1/_db/other/_api/endpoint')).toBe('/v1/_db/:database/_api/endpoint');
  });

  it('names the span by the route', async () => {
    const { name } = await spanOf(express().use(createEndpointRouter(coordinator)), '/_api/endpoint');
    expect(name).toBe('GET /_api/endpoint');
  });

  it('names none of ours for a request of another', async () => {
    const app = express().use(createEndpointRouter(coordinator));
    app.get('/other', (_req, res) => void res.end());
    expect(await routeOf(app, '/other')).toBe('/other');
  });

  it('changes no answer', async () => {
    const databaseName = (req: Request): string => String(req.params['database']);
    const app = express()
      .use('/t/:database', createEndpointRouter({ ...coordinator, databaseName }))
      .use(createEndpointRouter(coordinator));
    const agent = supertest(serve(app));
    expect((await agent.get('/_api/cluster/endpoints')).text).toBe(CLUSTER_BODY);
    expect((await agent.get('/_db/_system/_api/cluster/endpoints')).text).toBe(CLUSTER_BODY);
    expect((await agent.get('/_db/other/_api/cluster/endpoints')).status).toBe(403);
    expect((await agent.get('/_db/%zz/_api/cluster/endpoints')).body).toMatchObject({ code: 400, errorNum: 1229 });
    expect((await agent.get('/t/_system/_db/_system/_api/endpoint')).status).toBe(200);
    expect((await agent.get('/t/other/_db/_system/_api/endpoint')).status).toBe(400);
    expect((await agent.options('/_api/endpoint')).status).toBe(405);
    expect((await agent.get('/other')).status).toBe(404);
  });

  it('records an error that is handed to the host', async () => {
    const endpoints = (): never => {
      throw new Error('x');
    };
    const app = express().use(createEndpointRouter({ ...coordinator, endpoints, errors: 'forward' }));
    app.use((error: { status: number }, _req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error);
      else res.status(error.status).end('handled by the host');
    });
    expect((await supertest(serve(app)).get('/_api/endpoint')).text).toBe('handled by the host');
    exporter.reset();
    await supertest(serve(app)).get('/_api/endpoint');
    expect(exporter.getFinishedSpans().flatMap(({ events }) => events.map(({ name }) => name))).toContain('exception');
  });
});

describe('A tracer that puts handlers of its own in the place of those of each layer, as dd-trace does', () => {
  it('sees the route pass', async () => {
    const routers = (EXPRESS_MAJOR === 5 ? Router.prototype : Router) as Pick<Router, 'use' | 'route' | 'stack'>;
    const { use, route } = routers;
    const passed: (string | undefined)[] = [];
    const wrapLast = (stack: Router['stack'], path: unknown): void => {
      const layer = stack.at(-1);
      if (layer === undefined) return;
      const { handle } = layer;
      layer.handle = function wrapped(req: Request, res: Response, next: NextFunction): unknown {
        passed.push(typeof path === 'string' ? path : undefined);
        return handle(req, res, next) as unknown;
      };
    };
    Object.assign(routers, {
      use(this: Router, ...parts: Parameters<Router['use']>) {
        const used = use.apply(this, parts);
        wrapLast(this.stack, parts[0]);
        return used;
      },
      route(this: Router, path: string) {
        const made = route.call(this, path);
        wrapLast(this.stack, path);
        return made;
      },
    });
    try {
      const app = express().use(createEndpointRouter(coordinator));
      expect((await supertest(serve(app)).get('/_api/cluster/endpoints')).text).toBe(CLUSTER_BODY);
    } finally {
      Object.assign(routers, { use, route });
    }
    expect(passed.at(-1)).toBe('/_api/cluster/endpoints');
  });
});

describe('The tracing channel of Express 5, which Express 4 does not have', () => {
  it('has the route of a request, also for one who subscribes when the router is there already', async () => {
    const app = express().use('/v1', createEndpointRouter(coordinator));
    const routes: unknown[] = [];
    const subscriber = {
      start: ({ route }: { route?: unknown }) => void routes.push(route),
      end: () => undefined,
      asyncStart: () => undefined,
      asyncEnd: () => undefined,
      error: () => undefined,
    };
    const channel = tracingChannel<string, { route?: unknown }>('express.router.request');
    const server = serve(app);
    channel.subscribe(subscriber);
    try {
      await supertest(server).get('/v1/_api/endpoint').expect(200);
    } finally {
      channel.unsubscribe(subscriber);
    }
    expect(routes.includes('/_api/endpoint')).toBe(EXPRESS_MAJOR === 5);
    const seen = routes.length;
    await supertest(server).get('/v1/_api/endpoint').expect(200);
    expect(routes).toHaveLength(seen);
  });
});
