import express, { type NextFunction, type Request, type Response } from 'express';
import createError from 'http-errors';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointProvider, type EndpointRouterOptions } from '../../lib/index.js';
import { serve, serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';

/** A coordinator whose provider throws, and what its host was told. */
function failing(thrown: unknown, options: Partial<EndpointRouterOptions> = {}): [EndpointRouterOptions, Error[]] {
  const reported: Error[] = [];
  const endpoints: EndpointProvider = () => {
    throw thrown;
  };
  return [{ role: 'coordinator', endpoints, onError: (error) => reported.push(error), ...options }, reported];
}

/** The status and the body that a thrown value leads to. */
async function answerTo(thrown: unknown): Promise<[status: number, body: unknown]> {
  const { status, body } = (await supertest(serverOf(failing(thrown)[0])).get(CLUSTER)) as {
    status: number;
    body: unknown;
  };
  return [status, body];
}

describe('An http-error of the provider', () => {
  it.each([
    [createError(400, 'bad'), 400, 'bad', 400],
    [createError(404, 'database not found'), 404, 'database not found', 404],
    [createError(500, 'secret'), 500, 'internal error', 4],
    [createError(501, 'secret'), 501, 'not implemented', 501],
    [createError(503, 'secret'), 503, 'service unavailable', 503],
    [createError(599, 'secret'), 599, 'unknown error', 599],
    [createError(503, 'no etcd', { errorNum: 1478, expose: true }), 503, 'no etcd', 1478],
    [createError(404, 'gone', { errorNum: 0 }), 404, 'gone', 0],
    [createError(404, 'gone', { errorNum: 'x' }), 404, 'gone', 404],
    [createError(404, 'gone', { errorNum: -1 }), 404, 'gone', 404],
    [Object.assign(createError(404), { message: { secret: 1 } }), 404, 'not found', 404],
  ])(
    'keeps its status, its errorNum from 0 on, and a text that is to be shown: %p',
    async (error, code, errorMessage, errorNum) => {
      expect(await answerTo(error)).toEqual([code, { code, error: true, errorMessage, errorNum }]);
    },
  );

  it('may come from another copy of http-errors', async () => {
    let other: typeof createError | undefined;
    jest.isolateModules(() => {
      other = jest.requireActual<typeof createError>('http-errors');
    });
    const error = (other ?? createError)(403, 'not yours');
    expect(error).not.toBeInstanceOf(createError.HttpError);
    expect(await answerTo(error)).toMatchObject([403, { errorMessage: 'not yours' }]);
  });

  it.each([
    ['a status below 400', Object.assign(createError(400), { status: 302, statusCode: 302 })],
    ['a status above 599', Object.assign(createError(400), { status: 600, statusCode: 600 })],
    ['a status that is no integer', Object.assign(createError(400), { status: 404.5, statusCode: 404.5 })],
    ['only a status, without the rest of an http-error', Object.assign(new Error('x'), { status: 404 })],
    [
      'a trap in place of each property',
      new Proxy(createError(404), {
        get() {
          throw new Error('trap');
        },
      }),
    ],
  ])('with %s is a 500', async (_what, error) => {
    expect(await answerTo(error)).toMatchObject([500, { errorNum: 4 }]);
  });
});

describe('onError', () => {
  it('receives every 5xx, with the request, and with what was thrown where every error has its cause', async () => {
    const thrown = new Error('db down');
    const onError = jest.fn<unknown, [Error, Request]>();
    await supertest(serverOf(failing(thrown, { onError })[0])).get(`${CLUSTER}?a`);
    const [[error, req] = []] = onError.mock.calls;
    expect([error?.message, req?.url]).toEqual(['internal error', `${CLUSTER}?a`]);
    expect(Object.getOwnPropertyDescriptor(error, 'cause')).toEqual({
      value: thrown,
      enumerable: false,
      writable: true,
      configurable: true,
    });
  });

  it('is told that the provider was too slow', async () => {
    const [options, reported] = failing(undefined, {
      timeoutMs: 5,
      endpoints: () => new Promise<string[]>(() => undefined),
    });
    const response = await supertest(serverOf(options)).get(CLUSTER);
    expect([response.status, response.body]).toMatchObject([503, { errorNum: 503 }]);
    expect(reported.map(({ cause }) => (cause as Error).message)).toEqual(['the provider took longer than 5 ms']);
  });

  it.each(['respond', 'forward'] as const)('is not told of a 4xx of the provider, with errors: %s', async (errors) => {
    const [options, reported] = failing(createError(404), { errors });
    expect((await supertest(serverOf(options)).get(CLUSTER)).status).toBe(404);
    expect(reported).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the log is full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the log is full'))],
  ])('that %s changes no answer', async (_what, onError) => {
    const [options] = failing(new Error('x'), { onError: onError as () => void });
    await supertest(serverOf(options)).get(CLUSTER).expect(500);
  });
});

describe('Without onError', () => {
  const thrown = new Error('db down');
  const options: EndpointRouterOptions = { role: 'coordinator', endpoints: () => Promise.reject(thrown) };
  const print = (): jest.SpyInstance => jest.spyOn(console, 'error').mockImplementation(() => undefined);
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('the error is printed to stderr, cause included, as Express does', async () => {
    const printed = print();
    const app = express().set('env', 'production');
    app.use(createEndpointRouter(options));
    await supertest(serve(app)).get(CLUSTER);
    expect(printed.mock.calls).toEqual([[expect.objectContaining({ message: 'internal error', cause: thrown })]]);
  });

  it('nothing is printed where the setting env of the host is test', async () => {
    const printed = print();
    await supertest(serverOf(options)).get(CLUSTER);
    expect(printed).not.toHaveBeenCalled();
  });
});

describe("errors: 'forward'", () => {
  /** A host that shows what its own error handler received. */
  function forwarding(options: EndpointRouterOptions): ReturnType<typeof serve> {
    const app = express();
    app.use(createEndpointRouter({ ...options, errors: 'forward' }));
    app.use((error: Record<string, unknown>, _req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error);
      const { status, statusCode, expose, errorNum, message, headers } = error;
      res.status(299).json({ status, statusCode, expose, errorNum, message, headers, allow: res.get('allow') });
    });
    return serve(app);
  }

  it.each([
    ['POST', '/_api/endpoint', 405, 405, 'method not supported'],
    ['GET', '/_db/%zz/_api/endpoint', 400, 1229, 'database name invalid'],
    ['GET', '/_db/other/_api/endpoint', 400, 1230, 'operation only allowed in system database'],
    ['GET', '/_db/other/_api/cluster/endpoints', 403, 1230, 'operation only allowed in system database'],
    ['GET', '/_api/cluster/endpoints', 501, 9, 'cannot serve this request for this deployment type'],
  ])('hands the refusal of %s %s to the host: %i / %i', async (method, path, status, errorNum, message) => {
    const agent = supertest(forwarding({ endpoints: [] }));
    const response = await (method === 'GET' ? agent.get(path) : agent.post(path));
    // Allow is set already, and in the headers of the error.
    const headers = status === 405 ? { headers: { Allow: 'GET' }, allow: 'GET' } : { headers: {} };
    expect(response.body).toEqual({ status, statusCode: status, expose: true, errorNum, message, ...headers });
  });

  it.each([
    ['with a message that is safe to show', new Error('secret'), 500, false, 4, 'internal error'],
    [
      'an http-error as what it is, exposed where it says so',
      createError(503, 'no etcd', { errorNum: 1478, expose: true, token: 'secret' }),
      ...([503, true, 1478, 'no etcd'] as const),
    ],
  ])('hands a failure of the provider to the host, %s', async (_how, thrown, status, expose, errorNum, message) => {
    const [options, reported] = failing(thrown);
    const response = await supertest(forwarding(options)).get(CLUSTER);
    expect(response.body).toEqual({ status, statusCode: status, expose, errorNum, message });
    expect(reported).toHaveLength(1);
  });

  it('leaves the rest to Express when the host has no error handler', async () => {
    const app = express();
    app.use(createEndpointRouter({ endpoints: [], errors: 'forward' }));
    const response = await supertest(serve(app)).post('/_api/endpoint');
    expect([response.status, response.headers['allow'], response.type]).toEqual([405, 'GET', 'text/html']);
  });
});

describe('What the callbacks of the host do wrong', () => {
  it.each([
    ['databaseName', { databaseName: () => 1 }, 'databaseName returned something that is not a string', 1],
    ['role', { role: () => 'king' }, 'the role function returned something that is not a role', 'king'],
  ])('onError learns what %s returned', async (_name, wrong, message, cause) => {
    const onError = jest.fn();
    const options = { endpoints: [], onError, role: 'coordinator', ...wrong } as unknown as EndpointRouterOptions;
    await supertest(serverOf(options)).get(CLUSTER);
    const [[error]] = onError.mock.calls as [[Error]];
    expect(error.cause).toMatchObject({ name: 'TypeError', message, cause });
  });

  it('an http-error of databaseName keeps its status: 404 for a database that does not exist', async () => {
    const databaseName = (): never => {
      throw createError(404, 'database not found', { errorNum: 1228 });
    };
    const response = await supertest(serverOf({ endpoints: [], databaseName })).get('/_api/endpoint');
    expect(response.text).toBe('{"code":404,"error":true,"errorMessage":"database not found","errorNum":1228}');
  });
});

it('Errors of the host application are never rendered by us, be they raised before or after the router', async () => {
  const app = express();
  app.get('/before', () => {
    throw createError(418, 'before');
  });
  app.use(createEndpointRouter({ endpoints: [] }));
  app.get('/after', () => {
    throw createError(418, 'after');
  });
  app.use((error: Error, _req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next(error);
    res.status(418).send(`host: ${error.message}`);
  });
  expect((await supertest(serve(app)).get('/before')).text).toBe('host: before');
  expect((await supertest(serve(app)).get('/after')).text).toBe('host: after');
});
