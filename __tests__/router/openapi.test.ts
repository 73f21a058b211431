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
interface Answer {
  readonly what: string;
  readonly options: EndpointRouterOptions;
  readonly status: number;
  readonly body: string;
}

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

const failures: Answer[] = [
  {
    what: 'a provider that throws',
    options: failing(new Error('openSesame')),
    status: 500,
    body: '{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}',
  },
  {
    what: 'a provider that is too slow',
    options: { role: 'coordinator', endpoints: () => new Promise(() => undefined), timeoutMs: 1 },
    status: 503,
    body: '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}',
  },
  {
    what: 'a provider with a number of its own',
    options: failing(createError(503, 'openSesame', { errorNum: 1478 })),
    status: 503,
    body: '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":1478}',
  },
  {
    what: 'a provider that limits its rate',
    options: failing(createError(429, 'too many requests')),
    status: 429,
    body: '{"code":429,"error":true,"errorMessage":"too many requests","errorNum":429}',
  },
  {
    what: 'a provider behind a gateway',
    options: failing(createError(502, 'openSesame')),
    status: 502,
    body: '{"code":502,"error":true,"errorMessage":"bad gateway","errorNum":502}',
  },
];

const inSystem: Record<string, Answer[]> = {
  [CLUSTER]: [
    {
      what: 'a coordinator',
      options: coordinator,
      status: 200,
      body: '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://db.example:8530"},{"endpoint":"tcp://[2001:db8::1]:8529"}]}',
    },
    {
      what: 'an empty list',
      options: { role: 'coordinator', endpoints: [] },
      status: 200,
      body: '{"error":false,"code":200,"endpoints":[]}',
    },
    {
      what: 'a single server',
      options: single,
      status: 501,
      body: '{"code":501,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":9}',
    },
    {
      what: 'a single server for old drivers',
      options: { ...single, notCoordinatorStatus: 403 },
      status: 403,
      body: '{"code":403,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":11}',
    },
    ...failures,
  ],
  [SERVER]: [
    {
      what: 'a single server',
      options: single,
      status: 200,
      body: '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"https://[::1]:8530"},{"endpoint":"unix:///var/run/server.sock"}]',
    },
    { what: 'an empty list', options: { endpoints: [] }, status: 200, body: '[]' },
    ...failures,
  ],
};

const FOREIGN_CLUSTER =
  '{"code":403,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}';
const FOREIGN_SERVER =
  '{"code":400,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}';
const INVALID = '{"code":400,"error":true,"errorMessage":"database name invalid","errorNum":1229}';

/** The whole status table for GET: the path of the description, the path of the request, and the answer. */
const answers: [path: string, target: string, answer: Answer][] = Object.entries(inSystem).flatMap(([route, known]) =>
  known.flatMap((answer): [string, string, Answer][] => [
    [route, route, answer],
    [IN_DATABASE + route, `/_db/_system${route}`, answer],
  ]),
);
answers.push(
  [
    CLUSTER,
    CLUSTER,
    {
      what: 'another database by the host',
      options: { ...coordinator, databaseName: () => 'other' },
      status: 403,
      body: FOREIGN_CLUSTER,
    },
  ],
  [
    IN_DATABASE + CLUSTER,
    `/_db/other${CLUSTER}`,
    { what: 'another database', options: coordinator, status: 403, body: FOREIGN_CLUSTER },
  ],
  [
    IN_DATABASE + CLUSTER,
    `/_db/%zz${CLUSTER}`,
    { what: 'no database name', options: coordinator, status: 400, body: INVALID },
  ],
  [
    SERVER,
    SERVER,
    {
      what: 'another database by the host',
      options: { ...single, databaseName: () => 'other' },
      status: 400,
      body: FOREIGN_SERVER,
    },
  ],
  [
    IN_DATABASE + SERVER,
    `/_db/other${SERVER}`,
    { what: 'another database', options: single, status: 400, body: FOREIGN_SERVER },
  ],
  [
    IN_DATABASE + SERVER,
    `/_db/%zz${SERVER}`,
    { what: 'no database name', options: single, status: 400, body: INVALID },
  ],
);

describe('openapi.json describes every answer of the router to GET', () => {
  it.each(answers.map(([path, target, answer]) => [target, answer.what, answer.status, path, answer] as const))(
    '%s, %s: %i',
    async (target, _what, status, path, { options, body }) => {
      const response = await ask(options, 'get', target);
      expect([response.status, response.text]).toEqual([status, body]);
      expect(validator.examples({ path, method: 'get', status })).toContain(body);
    },
  );

  it('with its headers, a Link from the deprecated route among them, and so for each refused method', async () => {
    const get = 'get' as const;
    const asked = [
      ...answers.map(([path, target, { options }]) => ({ path, target, options, method: get })),
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
    const sent = new Set(answers.map(([path, , { status, body }]) => `${path} ${String(status)} ${body}`));
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
