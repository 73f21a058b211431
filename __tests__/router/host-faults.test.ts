import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createEndpointRouter, type EndpointProvider, type EndpointRouterOptions } from '../../lib/index.js';
import { serve, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

const ROUTE = '/_api/endpoint';
const GET_LISTING = request('GET', ROUTE);
const atOnce: EndpointProvider = () => ['tcp://10.0.0.1:8529'];
const later: EndpointProvider = async () => {
  await delay(5);
  return ['tcp://10.0.0.1:8529'];
};
const failsLater: EndpointProvider = async () => {
  await delay(5);
  throw new Error('the registry is down');
};
const boom = (): never => {
  throw new Error('boom');
};

const MINE = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nmine';
const answerMine = (res: ServerResponse): unknown => res.setHeader('Content-Length', '4').end('mine');

/** A host application whose middleware stands before the router, and what its log and its error handler were told. */
function hostWith(
  middleware: RequestHandler,
  options: Partial<EndpointRouterOptions> = {},
  errorHandler?: ErrorRequestHandler,
): { app: Express; logged: string[]; handled: string[] } {
  const logged: string[] = [];
  const handled: string[] = [];
  const app = express();
  app.disable('x-powered-by');
  app.use(middleware);
  app.use(
    createEndpointRouter({
      endpoints: atOnce,
      onError: ({ message, cause }) => logged.push(cause instanceof Error ? `${message}: ${cause.message}` : message),
      ...options,
    }),
  );
  const handleError: ErrorRequestHandler = (error: Error, req, res, next) => {
    handled.push(error.message);
    if (errorHandler === undefined) next(error);
    else errorHandler(error, req, res, next);
  };
  app.use(handleError);
  return { app, logged, handled };
}

/** Middleware that does something to the request or the response and goes on. */
function after(change: (res: ServerResponse) => void): RequestHandler {
  return (_req, res, next) => {
    change(res);
    next();
  };
}

function replaceEnd(res: ServerResponse, end: (body: Buffer) => void): void {
  Object.assign(res, {
    end(body: Buffer) {
      end(body);
      return res;
    },
  });
}

function throwBehindTheAnswer(res: ServerResponse): void {
  const end = res.end.bind(res);
  replaceEnd(res, (body) => {
    end(body);
    return boom();
  });
}

/** What middleware does to a response, what a client then gets, the usual answer otherwise, and what `logged` and `handled` hold. */
type Fault = [
  what: string,
  change: (res: ServerResponse) => void,
  answer?: string | undefined,
  logged?: string | undefined,
  handled?: string,
];

/** The answer to a callback that fails. */
const internalError = (route = ROUTE): Promise<string> =>
  usualAnswer({ role: route === ROUTE ? 'single' : 'coordinator', endpoints: boom }, request('GET', route));

const passOn = after(() => undefined);

describe.each([
  { when: 'at once', endpoints: atOnce },
  { when: 'later', endpoints: later },
])('a provider that answers $when, in a host whose middleware', ({ endpoints }) => {
  describe.each(['respond', 'forward'] as const)('with errors: %s', (errors) =>
    it.each<Fault>([
      [
        'sent the headers: the connection is cut, and the error handler learns why',
        (res) => res.writeHead(202, { 'Content-Length': '10' }).write('half'),
        'HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhalf',
        undefined,
        'the headers of another answer were sent before',
      ],
      ['ended the answer: its answer stands, and no other follows', answerMine, MINE],
      ...(['setHeader', 'writeHead', 'end'] as const).map((method): Fault => [
        `replaced res.${method} by a function that throws: the connection is cut, and onError learns why`,
        (res) => Object.assign(res, { [method]: boom }),
        '',
        'internal error: boom',
      ]),
      [
        'replaced res.end by a function that throws behind the answer: the answer stands, and onError learns of it',
        throwBehindTheAnswer,
        undefined,
        'internal error: boom',
      ],
      [
        'replaced res.end by a function that does nothing: nothing leaves, as from any route of that host',
        (res) => replaceEnd(res, () => setImmediate(() => res.destroy())),
        '',
      ],
      [
        'replaced res.setHeader by a function that does nothing: the body leaves without the headers of the router',
        (res) => (res.setHeader = () => res),
        'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 37\r\n\r\n[{"endpoint":"http://10.0.0.1:8529"}]',
      ],
    ])('%s', async (_what, change, answer, ...[reason, error]) => {
      const { app, handled, logged } = hostWith(after(change), { endpoints, errors });

      expect(await rawAnswer(serve(app), GET_LISTING)).toBe(
        answer ?? (await usualAnswer({ endpoints: atOnce }, GET_LISTING)),
      );
      expect([logged, handled]).toEqual([reason, error].map((told) => (told === undefined ? [] : [told])));
    }),
  );

  it.each([
    ['one that expects 100 Continue', `${GET_LISTING.slice(0, -2)}Expect: 100-continue\r\n\r\n`, 1],
    ['one that waits for its turn', GET_LISTING.replace('Connection: close\r\n', '') + GET_LISTING, 2],
  ])(
    'wraps res.end to set a header at the last moment: it is in every answer, for %s',
    async (_what, bytes, answers) => {
      const { app, logged } = hostWith(
        after((res) => {
          const end = res.end.bind(res);
          replaceEnd(res, (body) => {
            res.setHeader('X-Late', 'yes');
            end(body);
          });
        }),
        { endpoints },
      );
      const answer = await rawAnswer(serve(app), bytes);
      expect(answer.split('X-Late: yes')).toHaveLength(answers + 1);
      expect(logged).toEqual([]);
    },
  );

  it('replaced res.end by a function that throws behind a long answer: all of it arrives', async () => {
    const endpoints = Array.from({ length: 50_000 }, (_, index) => `tcp://h${'0'.repeat(60)}.h${String(index)}`);
    const { app } = hostWith(after(throwBehindTheAnswer), { endpoints: () => endpoints });
    const answer = await rawAnswer(serve(app), GET_LISTING);
    expect(answer.endsWith('.h49999:8529"}]')).toBe(true);
  });

  it('destroyed the request: nothing leaves, and the provider is not asked', async () => {
    const asked = jest.fn(endpoints);
    const { app, logged, handled } = hostWith(
      (req, _res, next) => {
        req.destroy();
        next();
      },
      { endpoints: asked },
    );

    expect(await rawAnswer(serve(app), GET_LISTING)).toBe('');
    expect(asked).not.toHaveBeenCalled();
    expect([...logged, ...handled]).toEqual([]);
  });

  it.each<[string, RequestHandler, bytes?: string]>([
    [
      'consumed the body',
      express.json(),
      `${request('GET', ROUTE, 'Content-Type: application/json', 'Content-Length: 7')}{"a":1}`,
    ],
    [
      'froze what hangs on the request',
      (req, _res, next) => {
        for (const thing of [req.headers, req.params, req.rawHeaders]) Object.freeze(thing);
        next();
      },
    ],
  ])('%s: the listing is answered', async (_what, middleware, bytes = GET_LISTING) => {
    const { app } = hostWith(middleware, { endpoints });
    expect(await rawAnswer(serve(app), bytes)).toBe(await usualAnswer({ endpoints: atOnce }, GET_LISTING));
  });
});

it('a host whose middleware ends the answer while the provider is at work, keeps its answer, and the signal of the provider aborts', async () => {
  const reasons: unknown[] = [];
  const { app, logged } = hostWith(
    (_req, res, next) => {
      next();
      res.setHeader('Content-Length', '8').end('too late');
    },
    {
      endpoints: ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve(['tcp://10.0.0.1:8529']);
          }),
        ),
    },
  );

  expect(await rawAnswer(serve(app), GET_LISTING)).toBe(
    'HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\ntoo late',
  );
  expect(reasons).toEqual([expect.objectContaining({ name: 'AbortError', message: 'the client has left' })]);
  expect(logged).toEqual([]);
});

it('a host whose middleware replaced res.on by a function that throws, gets a 500 for a provider that answers later, whatever becomes of it', async () => {
  const { app, logged } = hostWith(
    after((res) => (res.on = boom)),
    { endpoints: failsLater },
  );

  expect(await rawAnswer(serve(app), GET_LISTING)).toBe(await internalError());
  expect(logged).toEqual(['internal error: boom']);
  await delay(20);
});

describe.each(['respond', 'forward'] as const)(
  'a refused method, with errors: %s, in a host whose middleware',
  (errors) => {
    it.each<[what: string, change: (res: ServerResponse) => void, answer: string, logged: string[]]>([
      ['ended the answer: it hears nothing', answerMine, MINE, []],
      ['destroyed the answer: it hears nothing', (res) => res.destroy(), '', []],
      // Allow is set before the error is handed over.
      ['replaced res.setHeader: the connection is cut', (res) => (res.setHeader = boom), '', ['internal error: boom']],
    ])('%s', async (_what, change, answer, told) => {
      const { app, handled, logged } = hostWith(after(change), { errors });
      expect(await rawAnswer(serve(app), request('POST', ROUTE))).toBe(answer);
      expect([logged, handled]).toEqual([told, []]);
    });

    it('sent the headers: the connection is cut, and its error handler learns why', async () => {
      const { app, handled, logged } = hostWith(
        after((res) => res.writeHead(202, { 'Content-Length': '10' }).write('half')),
        { errors },
      );
      expect(await rawAnswer(serve(app), request('POST', ROUTE))).toMatch(/^HTTP\/1\.1 202 .*\r\n\r\nhalf$/s);
      const reason = errors === 'forward' ? 'method not supported' : 'the headers of another answer were sent before';
      expect([logged, handled]).toEqual([[], [reason]]);
    });
  },
);

const RUBBISH: readonly [string, () => unknown][] = [
  ['throws', boom],
  ['returns undefined', () => undefined],
  ['returns null', () => null],
  ['returns a number', () => 7],
  ['returns an object', () => ({ toString: () => '_system' })],
  ['returns an array', () => ['_system']],
  ['returns a promise', () => Promise.resolve('_system')],
  ['returns a promise that rejects', () => Promise.reject(new Error('boom'))],
];

const BOTH = RUBBISH.flatMap(([what, call]) =>
  (['respond', 'forward'] as const).map((errors) => [what, errors, call] as const),
);

it.each(BOTH)(
  'a databaseName function that %s, with errors: %s: a 500, and no provider is asked',
  async (_what, errors, databaseName) => {
    const asked = jest.fn(atOnce);
    const { app, logged, handled } = hostWith(
      passOn,
      { endpoints: asked, databaseName: databaseName as () => string, errors },
      (_error, _req, res, next) => {
        if (errors === 'respond') next();
        else res.writeHead(503, { 'Content-Length': 0 }).end();
      },
    );

    expect(await rawAnswer(serve(app), GET_LISTING)).toBe(
      errors === 'respond'
        ? await internalError()
        : 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect([asked.mock.calls, logged.length]).toEqual([[], 1]);
    expect(handled).toEqual(errors === 'respond' ? [] : ['internal error']);
  },
);

it.each([...RUBBISH, ['returns no role', () => 'COORDINATOR']] as typeof RUBBISH)(
  'a role function that %s: a 500 for the cluster listing, no provider is asked, and the other one has no Link',
  async (_what, role) => {
    const asked = jest.fn(atOnce);
    const { app, logged } = hostWith(passOn, { endpoints: asked, role: role as () => 'single' });
    const cluster = '/_api/cluster/endpoints';

    expect(await rawAnswer(serve(app), request('GET', cluster))).toBe(await internalError(cluster));
    expect([asked.mock.calls, logged.length]).toEqual([[], 1]);
    expect(await rawAnswer(serve(app), GET_LISTING)).toBe(await usualAnswer({ endpoints: atOnce }, GET_LISTING));
    expect(logged).toHaveLength(2);
  },
);

it('a server that refuses to write a body where none may be, answers HEAD with the headers of the refusal', async () => {
  const app = express()
    .disable('x-powered-by')
    .use(createEndpointRouter({ endpoints: atOnce }));
  const server = createServer({ rejectNonStandardBodyWrites: true }, app);
  const bytes = request('HEAD', '/_api/cluster/endpoints');
  expect(await rawAnswer(server, bytes)).toBe(await usualAnswer({ endpoints: atOnce }, bytes));
});
