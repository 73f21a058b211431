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

const failures: EndpointRouterOptions[] = [
  failing(new Error('openSesame')),
  { ...coordinator, ...slow },
  failing(createError(503, 'openSesame', { errorNum: 1478 })),
  failing(createError(429, 'too many requests')),
  failing(createError(502, 'openSesame')),
];

/** Every answer to GET: the path of the description, the path of the request, and the options. Their bytes: `answers-as-bytes.test.ts`. */
const asked: [path: string, target: string, options: EndpointRouterOptions][] = [];
for (const [route, usual, ...more] of [
  [CLUSTER, coordinator, { ...coordinator, endpoints: [] }, single, { ...single, notCoordinatorStatus: 403 }],
  [SERVER, single, { endpoints: [] }],
] as const) {
  for (const options of [usual, ...more, ...failures]) {
    asked.push([route, route, options], [IN_DATABASE + route, `/_db/_system${route}`, options]);
  }
  asked.push(
    [route, route, { ...usual, databaseName: () => 'other' }],
    [IN_DATABASE + route, `/_db/other${route}`, usual],
    [IN_DATABASE + route, `/_db/%zz${route}`, usual],
  );
}

describe('openapi.json describes', () => {
  it('every answer of the router to GET, each by an example, and gives no example that the router does not send', async () => {
    const sent = new Set<string>();
    for (const [path, target, options] of asked) {
      const response = await ask(options, 'get', target);
      const { status, text } = response;
      expect([target, validator.problems(onWire(path, 'get', response))]).toEqual([target, []]);
      expect(validator.examples({ path, method: 'get', status })).toContain(text);
      sent.add(`${path} ${String(status)} ${text}`);
    }
    const examples = Object.entries(description.paths).flatMap(([path, { get }]) =>
      Object.keys(get?.responses ?? {})
        .map((key) => Number(key.replace('4XX', '429').replace('5XX', '502')))
        .flatMap((status) =>
          validator.examples({ path, method: 'get', status }).map((body) => `${path} ${String(status)} ${body}`),
        ),
    );
    expect(examples.sort()).toEqual([...sent].sort());
  });

  it('the Link from the deprecated route, with and without a slash', async () => {
    for (const target of [SERVER, `${SERVER}/`]) {
      const response = await ask(coordinator, 'get', target);
      expect([target, validator.problems(onWire(SERVER, 'get', response))]).toEqual([target, []]);
    }
  });

  it('the refusal of each other method', async () => {
    for (const path of Object.keys(description.paths)) {
      for (const method of METHODS.slice(1)) {
        const response = await ask(coordinator, method, path.replace('{database}', 'other'));
        expect([method, path, response.status]).toEqual([method, path, 405]);
        expect([method, path, validator.problems(onWire(path, method, response))]).toEqual([method, path, []]);
        if (method !== 'head') expect(validator.examples({ path, method, status: 405 })).toEqual([response.text]);
      }
    }
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
