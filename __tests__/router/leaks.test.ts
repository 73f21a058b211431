import express, { type ErrorRequestHandler, type Express } from 'express';
import createError from 'http-errors';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createEndpointRouter, type EndpointProvider, type EndpointRouterOptions } from '../../lib/index.js';
import { serve, serverOf, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';
import { SECRET, showsSecret } from '../support/router/secret.js';
import { thrownBy } from '../support/thrown.js';

const ROUTES = ['/_api/endpoint', '/_api/cluster/endpoints'];

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** Options with which a request fails, and the secret is in what the host application did. */
const FAULTS: readonly [string, Record<string, unknown>][] = [
  ['an Error that the provider throws', { endpoints: throwing(new Error(SECRET)) }],
  ['an Error that the provider rejects with', { endpoints: () => Promise.reject(new Error(SECRET)) }],
  ['the text that the provider throws', { endpoints: throwing(SECRET) }],
  [
    'the name, code and stack of an Error',
    { endpoints: throwing(Object.assign(new Error('x'), { name: SECRET, code: SECRET, stack: SECRET })) },
  ],
  [
    'the causes of an Error',
    { endpoints: throwing(new Error('x', { cause: new Error(SECRET, { cause: { token: SECRET } }) })) },
  ],
  ['an AggregateError', { endpoints: throwing(new AggregateError([new Error(SECRET)], SECRET)) }],
  ['an object with a toJSON', { endpoints: throwing({ password: SECRET, toJSON: () => SECRET }) }],
  ['the message of an http-error 500', { endpoints: throwing(createError(500, SECRET)) }],
  ['the message of an http-error 503', { endpoints: throwing(createError(503, SECRET)) }],
  [
    'the message of an http-error 404 that is not to be shown',
    { endpoints: throwing(createError(404, SECRET, { expose: false })) },
  ],
  [
    'the headers, the properties and the cause of an http-error that is to be shown',
    {
      endpoints: throwing(
        createError(404, 'no such tenant', {
          headers: { 'X-Secret': SECRET },
          errorNum: SECRET,
          name: SECRET,
          statusMessage: SECRET,
          cause: new Error(SECRET),
          [SECRET]: SECRET,
        }),
      ),
    },
  ],
  ['a text instead of a list', { endpoints: () => SECRET }],
  ['an object instead of a list', { endpoints: () => ({ [SECRET]: SECRET }) }],
  ['a Map instead of a list', { endpoints: () => new Map([[SECRET, SECRET]]) }],
  ['entries that are no endpoints', { endpoints: () => [SECRET, { [SECRET]: SECRET }] }],
  ['the user and password of an endpoint', { endpoints: () => [`tcp://root:${SECRET}@10.0.0.1:8529`] }],
  ['a bad entry among good ones', { endpoints: () => ['tcp://10.0.0.1:8529', `tcp://10.0.0.2/?key=${SECRET}`] }],
  ['what databaseName throws', { endpoints: [], databaseName: throwing(new Error(SECRET)) }],
  ['what databaseName returns', { endpoints: [], databaseName: () => ({ [SECRET]: SECRET }) }],
  ['the database that databaseName names', { endpoints: [], databaseName: () => SECRET }],
  ['what the role function throws', { endpoints: [], role: throwing(new Error(SECRET)) }],
  ['what the role function returns', { endpoints: [], role: () => SECRET }],
  ['what onError throws', { endpoints: throwing(new Error(SECRET)), onError: throwing(new Error(SECRET)) }],
  [
    'what a provider that is too slow rejects with later',
    {
      timeoutMs: 5,
      endpoints: async () => {
        await delay(15);
        throw new Error(SECRET);
      },
    },
  ],
];

/** Sends what a careless host application would: all that an error has. */
const sendWholeError: ErrorRequestHandler = (error: Error & { status: number }, _req, res, next) => {
  if (res.headersSent) next(error);
  const { message, stack, status } = error;
  res.status(status).json(Object.assign({}, error, { message, stack, text: String(error) }));
};

/** The ways in which a host application deals with our errors. */
const HOSTS: readonly [string, (options: EndpointRouterOptions) => Express][] = [
  ["errors: 'respond'", (options) => express().use(createEndpointRouter(options))],
  [
    "errors: 'forward' to the final handler of Express, in development",
    (options) =>
      express()
        .set('env', 'development')
        .use(createEndpointRouter({ ...options, errors: 'forward' })),
  ],
  [
    "errors: 'forward' to a handler that sends all that an error has",
    (options) => express().use(createEndpointRouter({ ...options, errors: 'forward' }), sendWholeError),
  ],
];

describe.each(HOSTS)('No secret of the host application leaves with %s', (_how, hostOf) => {
  beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(FAULTS)('not in %s', async (_where, fault) => {
    for (const route of ROUTES) {
      const options = { role: 'coordinator', onError: () => undefined, ...fault } as unknown as EndpointRouterOptions;

      const answer = await rawAnswer(serve(hostOf(options)), request('GET', route));

      expect(answer).toMatch(/^HTTP\/1\.1 (200|4..|500|503) /);
      expect(showsSecret(answer)).toBe(false);
    }
  });
});

describe('The log of the host application', () => {
  const logOf = async (endpoints: EndpointProvider): Promise<string> => {
    const errors: Error[] = [];
    await rawAnswer(serverOf({ endpoints, onError: (error) => errors.push(error) }), request('GET', '/_api/endpoint'));
    return inspect(errors, { depth: null });
  };

  it.each([
    ['an endpoint that was skipped', () => ['tcp://10.0.0.1:8529', `tcp://root:${SECRET}@10.0.0.2:8529`]],
    ['the only endpoint', () => [`tcp://root:${SECRET}@10.0.0.2:8529`]],
    ['an endpoint with blanks', () => [`tcp://root: ${SECRET} @10.0.0.2:8529`]],
    ['an endpoint without a scheme', () => [`root:${SECRET}@10.0.0.2:8529`]],
    ['an endpoint given in place of a list', () => `tcp://root:${SECRET}@10.0.0.2:8529`],
  ])('never shows the user and the password of %s', async (_which, endpoints) => {
    const log = await logOf(endpoints as EndpointProvider);

    expect(log).toContain('***@10.0.0.2:8529');
    expect(log).not.toContain(SECRET);
  });

  it.each([
    ['in a fixed list', [`tcp://root:${SECRET}@10.0.0.2:8529`]],
    ['in place of a list', `tcp://root:${SECRET}@10.0.0.2:8529`],
  ])('never shows them when the router is made with such an endpoint %s', (_where, endpoints) => {
    const error = thrownBy(() => createEndpointRouter({ endpoints } as EndpointRouterOptions));
    const message = inspect(error, { depth: null });
    expect(message).toContain('***@10.0.0.2:8529');
    expect(message).not.toContain(SECRET);
  });
});

describe('No value of a request comes back', () => {
  const options: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://10.0.0.1:8529'] };
  const usual = (): Promise<string> => usualAnswer(options, request('GET', '/_api/endpoint'));
  const split = '%0d%0aSet-Cookie:%20stolen=1%0d%0a%0d%0a<script>';

  it.each([
    ['the query string', request('GET', `/_api/endpoint?${SECRET}=${split}`)],
    ['the host', request('GET', `http://${SECRET}.example/_api/endpoint`)],
    ['a header', request('GET', '/_api/endpoint', `X-Forwarded-Prefix: ${SECRET}`, `Origin: http://${SECRET}.example`)],
    ['a body', `${request('GET', '/_api/endpoint', `Content-Length: ${String(SECRET.length)}`)}${SECRET}`],
  ])('in %s: the answer is the one without it', async (_where, bytes) => {
    expect(await rawAnswer(serverOf(options), bytes)).toBe(await usual());
  });

  it.each(['forward', 'respond'] as const)('in an error, with errors: %s', async (errors) => {
    const app = express().set('env', 'production');
    app.use(createEndpointRouter({ ...options, errors }));
    app.use(sendWholeError);
    for (const name of [SECRET, `${SECRET}${split}`, `%zz${SECRET}`, `%c0%af${SECRET}`]) {
      for (const route of ROUTES) {
        for (const method of ['GET', 'DELETE', 'OPTIONS']) {
          const answer = await rawAnswer(serve(app), request(method, `/_db/${name}${route}?${SECRET}`));

          expect(answer).toMatch(/^HTTP\/1\.1 (400|403|405) /);
          expect(answer).not.toMatch(/set-cookie|script/i);
          expect(showsSecret(answer)).toBe(false);
        }
      }
    }
  });

  it.each([
    ['a parameter', '/t/:tenant', `/t/${SECRET}${split}`],
    ['the database', '/_db/:database', '/_db/_system'],
    ['a parameter before the database', '/:tenant/_db/:database', `/${SECRET}${split}/_db/%5Fsystem`],
  ])('in the mount path, as %s', async (_what, mount, prefix) => {
    const app = express().disable('x-powered-by');
    app.use(mount, createEndpointRouter(options));

    expect(await rawAnswer(serve(app), request('GET', `${prefix}/_api/endpoint`))).toBe(await usual());
  });
});

describe('A message that the provider wants shown', () => {
  const message = 'a\r\nSet-Cookie: stolen=1\r\n\r\n"\u2028\ud800\0';

  it('stands in the body alone, escaped as JSON', async () => {
    const answer = await rawAnswer(
      serverOf({ endpoints: throwing(createError(404, message)) }),
      request('GET', '/_api/endpoint'),
    );

    const [head, ...body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(head).not.toMatch(/stolen/i);
    expect(body).toEqual([
      '{"code":404,"error":true,"errorMessage":"a\\r\\nSet-Cookie: stolen=1\\r\\n\\r\\n\\"\u2028\\ud800\\u0000","errorNum":404}',
    ]);
  });
});
