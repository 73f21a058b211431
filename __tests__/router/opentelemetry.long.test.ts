import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import http from 'node:http';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

/** The parts of OpenTelemetry that are used here; it comes from `tools/`. */
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string }[];
}
interface Exporter {
  reset(): void;
  getFinishedSpans(): Span[];
}
interface Provider {
  register(): void;
  shutdown(): Promise<void>;
}
interface Instrumentation {
  setTracerProvider(provider: Provider): void;
  getModuleDefinitions(): {
    readonly name: string;
    patch?(module: unknown, version: string): unknown;
    unpatch?(module: unknown, version: string): unknown;
  }[];
}
type Class<Thing, Argument = void> = new (argument: Argument) => Thing;
const { context, SpanKind, trace } = jest.requireActual<{
  readonly context: { disable(): void };
  readonly trace: { disable(): void };
  readonly SpanKind: { readonly SERVER: number };
}>('@opentelemetry/api');
const { ExpressInstrumentation, HttpInstrumentation } = {
  ...jest.requireActual<{ ExpressInstrumentation: Class<Instrumentation> }>('@opentelemetry/instrumentation-express'),
  ...jest.requireActual<{ HttpInstrumentation: Class<Instrumentation> }>('@opentelemetry/instrumentation-http'),
};
const { InMemorySpanExporter, SimpleSpanProcessor } = jest.requireActual<{
  InMemorySpanExporter: Class<Exporter>;
  SimpleSpanProcessor: Class<unknown, Exporter>;
}>('@opentelemetry/sdk-trace-base');
const { NodeTracerProvider } = jest.requireActual<{
  NodeTracerProvider: Class<Provider, { spanProcessors: unknown[] }>;
}>('@opentelemetry/sdk-trace-node');

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'], onError: () => undefined };
const CLUSTER_BODY = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';

describe('OpenTelemetry', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const instrumentations: Instrumentation[] = [new HttpInstrumentation(), new ExpressInstrumentation()];

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
  async function spanOf(app: Express, path: string, method: 'get' | 'post' = 'get'): Promise<Span> {
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

  it('names the span by the route, and none of ours for a request of another', async () => {
    const app = express().use(createEndpointRouter(coordinator));
    app.get('/other', (_req, res) => void res.end());
    expect((await spanOf(app, '/_api/endpoint')).name).toBe('GET /_api/endpoint');
    expect(await routeOf(app, '/other')).toBe('/other');
  });

  it('changes no answer, nor the parameters of the mount', async () => {
    const databaseName = (req: Request): string => String(req.params['database']);
    const agent = supertest(
      serve(express().use('/t/:database', createEndpointRouter({ ...coordinator, databaseName }))),
    );
    expect((await agent.get('/t/_system/_api/cluster/endpoints')).text).toBe(CLUSTER_BODY);
    await agent.get('/t/_system/_db/_system/_api/endpoint').expect(200);
    await agent.get('/t/other/_db/_system/_api/endpoint').expect(400);
    await agent.get('/t/_system/_db/%zz/_api/endpoint').expect(400, /"errorNum":1229/);
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
