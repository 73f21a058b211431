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

describe('An http-error of the provider', () => {
  it.each([
    [400, 'bad', { code: 400, error: true, errorMessage: 'bad', errorNum: 400 }],
    [404, 'database not found', { code: 404, error: true, errorMessage: 'database not found', errorNum: 404 }],
    [500, 'secret', { code: 500, error: true, errorMessage: 'internal error', errorNum: 4 }],
    [501, 'secret', { code: 501, error: true, errorMessage: 'not implemented', errorNum: 501 }],
    [503, 'secret', { code: 503, error: true, errorMessage: 'service unavailable', errorNum: 503 }],
    [599, 'secret', { code: 599, error: true, errorMessage: 'unknown error', errorNum: 599 }],
  ])('with status %i keeps its status, and its message only if it is to be shown', async (status, message, body) => {
    const [options] = failing(createError(status, message));
    const response = await supertest(serverOf(options)).get(CLUSTER);
    expect([response.status, response.body]).toEqual([status, body]);
  });

  it.each([
    [createError(503, 'no etcd', { errorNum: 1478, expose: true }), 503, 'no etcd', 1478],
    [createError(404, 'gone', { errorNum: 0 }), 404, 'gone', 0],
    [createError(404, 'gone', { errorNum: 'x' }), 404, 'gone', 404],
    [createError(404, 'gone', { errorNum: -1 }), 404, 'gone', 404],
    [Object.assign(createError(404), { message: { secret: 1 } }), 404, 'not found', 404],
  ])('keeps its errorNum from 0 on, and a message that is text: %p', async (error, code, errorMessage, errorNum) => {
    const response = await supertest(serverOf(failing(error)[0])).get(CLUSTER);
    expect(response.body).toEqual({ code, error: true, errorMessage, errorNum });
  });

  it('may come from another copy of http-errors', async () => {
    let other: typeof createError | undefined;
    jest.isolateModules(() => {
      other = jest.requireActual<typeof createError>('http-errors');
    });
    const error = (other ?? createError)(403, 'not yours');
    expect(error).not.toBeInstanceOf(createError.HttpError);
    const response = await supertest(serverOf(failing(error)[0])).get(CLUSTER);
    expect([response.status, response.body]).toMatchObject([403, { errorMessage: 'not yours' }]);
  });

  it.each([
    ['a status below 400', Object.assign(createError(400), { status: 302, statusCode: 302 })],
    ['a status above 599', Object.assign(createError(400), { status: 600, statusCode: 600 })],
    ['a status that is no integer', Object.assign(createError(400), { status: 404.5, statusCode: 404.5 })],
    ['only a status, without the rest of an http-error', Object.assign(new Error('x'), { status: 404 })],
  ])('with %s is a 500', async (_what, error) => {
    const response = await supertest(serverOf(failing(error)[0])).get(CLUSTER);
    expect([response.status, response.body]).toMatchObject([500, { errorNum: 4, errorMessage: 'internal error' }]);
  });

  it('that cannot even be read is a 500', async () => {
    const hostile = new Proxy(createError(404), {
      get() {
        throw new Error('trap');
      },
    });
    expect((await supertest(serverOf(failing(hostile)[0])).get(CLUSTER)).status).toBe(500);
  });
});

describe('onError', () => {
  it('receives every 5xx, with what was thrown as its cause, and the request', async () => {
    const thrown = new Error('db down');
    const seen: unknown[] = [];
    const onError = (error: Error, req: Request): void => {
      seen.push(error.message, error.cause, req.url);
    };
    await supertest(serverOf(failing(thrown, { onError })[0])).get(`${CLUSTER}?a`);
    expect(seen).toEqual(['internal error', thrown, `${CLUSTER}?a`]);
  });

  it('receives the cause where every error has it, for the host to read, replace or take away', async () => {
    const thrown = new Error('x');
    const [options, reported] = failing(thrown);
    await supertest(serverOf(options)).get(CLUSTER);
    expect(Object.getOwnPropertyDescriptor(reported[0], 'cause')).toEqual({
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

  it('is not told of a 4xx of the provider', async () => {
    const [options, reported] = failing(createError(404));
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
    const response = await supertest(serverOf(failing(new Error('x'), { onError: onError as () => void })[0])).get(
      CLUSTER,
    );
    expect(response.text).toBe('{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}');
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
  const single: EndpointRouterOptions = { endpoints: [] };

  it('hands 405 to the host, with Allow already set and in the headers of the error', async () => {
    const response = await supertest(forwarding(single)).post('/_api/endpoint');
    expect([response.status, response.body]).toEqual([
      299,
      {
        status: 405,
        statusCode: 405,
        expose: true,
        errorNum: 405,
        message: 'method not supported',
        headers: { Allow: 'GET' },
        allow: 'GET',
      },
    ]);
  });

  it.each([
    ['/_db/%zz/_api/endpoint', 400, 1229, 'database name invalid'],
    ['/_db/other/_api/endpoint', 400, 1230, 'operation only allowed in system database'],
    ['/_db/other/_api/cluster/endpoints', 403, 1230, 'operation only allowed in system database'],
    ['/_api/cluster/endpoints', 501, 9, 'cannot serve this request for this deployment type'],
  ])('hands the refusal of %s to the host: %i / %i', async (path, status, errorNum, message) => {
    const response = await supertest(forwarding(single)).get(path);
    expect(response.body).toEqual({ status, statusCode: status, expose: true, errorNum, message, headers: {} });
  });

  it('hands a failure of the provider to the host, with a message that is safe to show', async () => {
    const [options, reported] = failing(new Error('secret'));
    const response = await supertest(forwarding(options)).get(CLUSTER);
    expect(response.body).toEqual({
      status: 500,
      statusCode: 500,
      expose: false,
      errorNum: 4,
      message: 'internal error',
    });
    expect(reported).toHaveLength(1);
  });

  it('hands an http-error of the provider to the host as what it is, exposed where it says so', async () => {
    const [options] = failing(createError(503, 'no etcd', { errorNum: 1478, expose: true, token: 'secret' }));
    const response = await supertest(forwarding(options)).get(CLUSTER);
    expect(response.body).toEqual({ status: 503, statusCode: 503, expose: true, errorNum: 1478, message: 'no etcd' });
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

describe('Errors of the host application', () => {
  it('are never rendered by us, be they raised before or after the router', async () => {
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
});
