import { readFileSync } from 'node:fs';
import createError from 'http-errors';
import request, { type Response } from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';
import { createOpenApiValidator, type WireResponse } from '../support/router/openapi-validator.js';

interface Description {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** One answer of the router, asked in `_system` or in a database of its own. */
type Answer = readonly [what: string, options: EndpointRouterOptions, status: number, body: string];

const description = JSON.parse(readFileSync('openapi.json', 'utf8')) as Description;
const validator = createOpenApiValidator(description);

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';
const IN_DATABASE = '/_db/{database}';
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

async function ask(
  options: EndpointRouterOptions,
  method: (typeof METHODS)[number],
  target: string,
): Promise<Response> {
  return request(serverOf({ onError: () => undefined, ...options }))[method](target);
}

function onWire(path: string, method: string, { status, headers, text }: Response): WireResponse {
  // superagent has no text for an answer without a body.
  const body: unknown = text;
  return { path, method, status, headers, body: typeof body === 'string' ? body : '' };
}

const coordinator: EndpointRouterOptions = {
  role: 'coordinator',
  endpoints: ['tcp://10.0.0.1:8529', 'ssl://db.example:8530', 'tcp://[2001:db8::1]:8529'],
};
const single: EndpointRouterOptions = {
  endpoints: ['tcp://127.0.0.1:8529', 'ssl://[::1]:8530', 'unix:///var/run/server.sock'],
};
const failing = (error: unknown): EndpointRouterOptions => ({
  role: 'coordinator',
  endpoints: () => {
    throw error;
  },
});

const slow = { timeoutMs: 1, endpoints: () => new Promise<never>(() => undefined) };

const error = (code: number, errorNum: number, errorMessage: string): string =>
  `{"code":${String(code)},"error":true,"errorMessage":"${errorMessage}","errorNum":${String(errorNum)}}`;
const WRONG_TYPE = 'cannot serve this request for this deployment type';
const FOREIGN = 'operation only allowed in system database';
const INVALID = error(400, 1229, 'database name invalid');

const ownNumber = createError(503, 'openSesame', { errorNum: 1478 });
const failures: Answer[] = [
  ['a provider that throws', failing(new Error('openSesame')), 500, error(500, 4, 'internal error')],
  ['a provider that is too slow', { ...coordinator, ...slow }, 503, error(503, 503, 'service unavailable')],
  ['a provider with a number of its own', failing(ownNumber), 503, error(503, 1478, 'service unavailable')],
  [
    'a provider that limits its rate',
    failing(createError(429, 'too many requests')),
    429,
    error(429, 429, 'too many requests'),
  ],
  ['a provider behind a gateway', failing(createError(502, 'openSesame')), 502, error(502, 502, 'bad gateway')],
];

const inSystem: Record<string, Answer[]> = {
  [CLUSTER]: [
    [
      'a coordinator',
      coordinator,
      200,
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://db.example:8530"},{"endpoint":"tcp://[2001:db8::1]:8529"}]}',
    ],
    ['an empty list', { ...coordinator, endpoints: [] }, 200, '{"error":false,"code":200,"endpoints":[]}'],
    ['a single server', single, 501, error(501, 9, WRONG_TYPE)],
    ['a single server for old drivers', { ...single, notCoordinatorStatus: 403 }, 403, error(403, 11, WRONG_TYPE)],
    ...failures,
  ],
  [SERVER]: [
    [
      'a single server',
      single,
      200,
      '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"https://[::1]:8530"},{"endpoint":"unix:///var/run/server.sock"}]',
    ],
    ['an empty list', { endpoints: [] }, 200, '[]'],
    ...failures,
  ],
};

/** The whole status table for GET: the path of the description, the path of the request, and the answer. */
const answers: [path: string, target: string, answer: Answer][] = Object.entries(inSystem).flatMap(([route, known]) =>
  known.flatMap((answer): [string, string, Answer][] => [
    [route, route, answer],
    [IN_DATABASE + route, `/_db/_system${route}`, answer],
  ]),
);
for (const [route, options, status] of [
  [CLUSTER, coordinator, 403],
  [SERVER, single, 400],
] as const) {
  const foreign = error(status, 1230, FOREIGN);
  const byHost = { ...options, databaseName: () => 'other' };
  answers.push(
    [route, route, ['another database by the host', byHost, status, foreign]],
    [IN_DATABASE + route, `/_db/other${route}`, ['another database', options, status, foreign]],
    [IN_DATABASE + route, `/_db/%zz${route}`, ['no database name', options, 400, INVALID]],
  );
}

describe('openapi.json describes every answer of the router to GET', () => {
  it.each(
    answers.map(
      ([path, target, [what, options, status, body]]) => [target, what, status, path, options, body] as const,
    ),
  )('%s, %s: %i', async (target, _what, status, path, options, body) => {
    const response = await ask(options, 'get', target);
    expect([response.status, response.text]).toEqual([status, body]);
    expect(validator.examples({ path, method: 'get', status })).toContain(body);
  });

  it('with its headers, a Link from the deprecated route among them, and so for each refused method', async () => {
    const get = 'get' as const;
    const asked = [
      ...answers.map(([path, target, [, options]]) => ({ path, target, options, method: get })),
      ...[SERVER, `${SERVER}/`].map((target) => ({ path: SERVER, target, options: coordinator, method: get })),
      ...Object.keys(description.paths).flatMap((path) =>
        METHODS.slice(1).map((method) => ({
          path,
          target: path.replace('{database}', 'other'),
          options: coordinator,
          method,
        })),
      ),
    ];
    for (const { path, target, options, method } of asked) {
      const response = await ask(options, method, target);
      expect([method, target, validator.problems(onWire(path, method, response))]).toEqual([method, target, []]);
      if (method === get) continue;
      expect([method, target, response.status]).toEqual([method, target, 405]);
      if (method !== 'head') expect(validator.examples({ path, method, status: 405 })).toEqual([response.text]);
    }
  });

  it('and gives no example that the router does not send', () => {
    const sent = new Set(answers.map(([path, , [, , status, body]]) => `${path} ${String(status)} ${body}`));
    const examples = Object.entries(description.paths).flatMap(([path, { get }]) =>
      Object.keys(get?.responses ?? {})
        .map((key) => Number(key.replace('4XX', '429').replace('5XX', '502')))
        .flatMap((status) =>
          validator.examples({ path, method: 'get', status }).map((body) => `${path} ${String(status)} ${body}`),
        ),
    );
    expect(examples.filter((example) => !sent.has(example))).toEqual([]);
    expect(examples).toHaveLength(sent.size);
  });
});

describe('openapi.json', () => {
  it('has both routes, each with and without a database, and every method that OpenAPI knows', () => {
    const paths = Object.entries(description.paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(paths).toEqual([
      [CLUSTER, METHODS],
      [IN_DATABASE + CLUSTER, ['parameters', ...METHODS]],
      [SERVER, METHODS],
      [IN_DATABASE + SERVER, ['parameters', ...METHODS]],
    ]);
  });

  it('calls the route of a single server deprecated, and only that one', () => {
    for (const [path, item] of Object.entries(description.paths)) {
      for (const method of METHODS) expect(item[method]?.deprecated ?? false).toBe(path.endsWith(SERVER));
    }
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(description.info.version).toBe(version);
  });
});
