import express, { Router, type NextFunction, type Request, type Response } from 'express';
import { tracingChannel } from 'node:diagnostics_channel';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointProvider, type EndpointRouterOptions } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

declare const EXPRESS_MAJOR: 4 | 5;

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'], onError: () => undefined };
const ROUTES = ['/_api/cluster/endpoints', '/_api/endpoint'].flatMap((path) => [path, `/_db/:database${path}`]);
const CLUSTER_BODY = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';

it('A tracer that puts handlers of its own in the place of those of each layer, as dd-trace does, sees the route pass, and what fails in it', async () => {
  const routers = (EXPRESS_MAJOR === 5 ? Router.prototype : Router) as Pick<Router, 'use' | 'route' | 'stack'>;
  const { use, route } = routers;
  const passed: unknown[] = [];
  const failed: unknown[] = [];
  const wrapLast = (stack: Router['stack'], path: unknown): void => {
    const layer = stack.at(-1);
    if (layer === undefined) return;
    const { handle } = layer;
    layer.handle = function wrapped(req: Request, res: Response, next: NextFunction): unknown {
      passed.push(path);
      return handle(req, res, (error?: unknown) => {
        if (error instanceof Error) failed.push([path, error.message]);
        next(error);
      }) as unknown;
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
    const databaseName = (req: Request): string => String(req.params['database']);
    const app = express().use('/:database', createEndpointRouter({ ...coordinator, databaseName }));
    expect((await supertest(serve(app)).get('/_system/_api/cluster/endpoints')).text).toBe(CLUSTER_BODY);
    // A name that Express cannot decode matches no route, and is refused all the same.
    await supertest(serve(app))
      .get('/_system/_db/%zz/_api/endpoint')
      .expect(400, /"errorNum":1229/);
    for (const path of ROUTES) {
      const name = path.replace(':database', '_system');
      await supertest(serve(app)).delete(`/_system${name}`).expect(405);
    }
    const onError = jest.fn();
    const endpoints = (): Promise<never> => Promise.reject(new Error('x'));
    const forwarding = express()
      .set('env', 'test')
      .use(createEndpointRouter({ endpoints, onError, errors: 'forward' }));
    await supertest(serve(forwarding)).get('/_api/endpoint').expect(500);
    expect(onError).toHaveBeenCalledTimes(1);
  } finally {
    Object.assign(routers, { use, route });
  }
  expect(passed).toEqual(expect.arrayContaining(ROUTES));
  expect(failed).toContainEqual(['/_api/endpoint', 'internal error']);
});

it('The tracing channel of Express 5, which Express 4 does not have, has the route of a request, also for one who subscribes when the router is there already; without a tracer, no request takes a route', async () => {
  const taken: unknown[] = [];
  const endpoints: EndpointProvider = ({ req }) => {
    taken.push((req.route as { path: string } | undefined)?.path);
    return [];
  };
  const app = express().use('/v1', createEndpointRouter({ endpoints }));
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
  expect(taken).toEqual(['/_api/endpoint', undefined]);
});
