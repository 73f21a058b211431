import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const make = (options: unknown) => (): unknown => createEndpointRouter(options as EndpointRouterOptions);
const nullPrototype = Object.create(null) as object;

describe('The options', () => {
  it.each([
    [undefined, 'undefined'],
    ['single', 'a string'],
    [() => [], 'function'],
    [Object.create({ endpoints: [] }), 'object'],
    [new Map(), 'object'],
  ])('must be a plain object: %p is refused', (options, shown) =>
    expect(make(options)).toThrow(
      new TypeError(`createEndpointRouter: the options must be a plain object, got ${shown}`),
    ),
  );

  it.each([
    ['frozen', Object.freeze({ endpoints: Object.freeze(['tcp://a']) })],
    ['without a prototype', Object.assign(Object.create(null), { endpoints: ['tcp://a'] }) as EndpointRouterOptions],
  ])('%s ones are accepted, and left as they are', async (_what, options) => {
    const before = JSON.stringify(options);
    const response = await supertest(serverOf(options)).get('/_api/endpoint');
    expect(response.text).toBe('[{"endpoint":"http://a:8529"}]');
    expect(JSON.stringify(options)).toBe(before);
  });
});

describe('An unknown option is refused: a typo must not change a role', () => {
  const allowed = 'endpoints, role, databaseName, clusterDatabases, notCoordinatorStatus, timeoutMs, errors, onError';
  it.each([
    ['rolle', '"rolle", did you mean role?'],
    ['ROLE', '"ROLE", did you mean role?'],
    ['endpoint', '"endpoint", did you mean endpoints?'],
    ['toString', `"toString"; allowed: ${allowed}`],
    ['__proto__x', `"__proto__x"; allowed: ${allowed}`],
    [Symbol('role'), `Symbol(role); allowed: ${allowed}`],
  ])('%p', (name, message) =>
    expect(make({ endpoints: [], [name]: 'coordinator' })).toThrow(
      new TypeError(`createEndpointRouter: unknown option ${message}`),
    ),
  );
});

describe('endpoints', () => {
  it('is required', () =>
    expect(make({})).toThrow(
      new TypeError(
        'createEndpointRouter: option endpoints is missing; it must be a function or an array of endpoints',
      ),
    ));

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['tcp://user:secret@a', '"tcp://***@a"'],
    [1, '1'],
    [{ password: 'secret' }, 'object'],
    [{ provider: () => [], status: () => 0 }, 'a directory: pass directory.provider'],
    [nullPrototype, 'object'],
    [new Set(['tcp://user:secret@a']), 'object'],
    [new Uint8Array(1), 'object'],
  ])('%p is refused', (endpoints, shown) =>
    expect(make({ endpoints })).toThrow(
      new TypeError(`createEndpointRouter: option endpoints must be a function or an array of endpoints, got ${shown}`),
    ),
  );

  it('as a fixed list is checked at once, and every bad value is named', () => {
    const schemes =
      'allowed schemes: tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
    let thrown: unknown;
    try {
      createEndpointRouter({ endpoints: ['tcp://a', 'tcp://:1', 'tcp://[::1', 7 as unknown as string] });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message).toBe(
      [
        'createEndpointRouter: option endpoints:',
        `  "tcp://:1" is not an endpoint: the host is empty; ${schemes}`,
        `  "tcp://[::1" is not an endpoint: its bracket is not closed; ${schemes}`,
        `  number is not an endpoint: it is not a string; ${schemes}`,
      ].join('\n'),
    );
    expect((thrown as Error).cause).toMatchObject({
      errors: [
        { name: 'EndpointSyntaxError', reason: 'the host is empty' },
        { name: 'EndpointSyntaxError', reason: 'its bracket is not closed' },
        { name: 'EndpointSyntaxError', reason: 'it is not a string' },
      ],
    });
  });

  it.each(['tcp://0.0.0.0', 'tcp://[::]', 'tcp://[0:0:0:0:0:0:0:0]:1', 'tcp://[::ffff:0.0.0.0]', 'unix:///s'])(
    'as the fixed list of a coordinator may not hold %s; elsewhere it may',
    (endpoint) => {
      expect(make({ role: 'coordinator', endpoints: [endpoint] })).toThrow(TypeError);
      expect(make({ role: 'single', endpoints: [endpoint] })).not.toThrow();
      expect(make({ role: () => 'coordinator', endpoints: [endpoint] })).not.toThrow();
    },
  );

  it('as a fixed list is copied: what the host does to its array later changes nothing', async () => {
    const endpoints = ['tcp://a'];
    const server = serverOf({ endpoints });
    endpoints.push('tcp://b');
    expect((await supertest(server).get('/_api/endpoint')).text).toBe('[{"endpoint":"http://a:8529"}]');
  });
});

const ROLE = "role must be 'single', 'coordinator', 'dbserver', 'agent' or a function";
const TIME = 'timeoutMs must be a number of milliseconds above 0, up to 2147483647, or Infinity';

it.each<[must: string, ...values: [value: unknown, shown: string][]]>([
  [
    ROLE,
    ['COORDINATOR', '"COORDINATOR"'],
    ['', '""'],
    [true, 'true'],
    [['coordinator'], 'an array'],
    [nullPrototype, 'object'],
  ],
  [ROLE, [Symbol('coordinator'), 'Symbol(coordinator)']],
  ['databaseName must be a function', ['_system', '"_system"'], [{}, 'object']],
  ["clusterDatabases must be 'system' or 'any'", ['all', '"all"'], [true, 'true'], [['any'], 'an array']],
  ['notCoordinatorStatus must be 501 or 403', [500, '500'], ['501', '"501"'], [501n, '501n'], [NaN, 'NaN']],
  [
    TIME,
    [0, '0'],
    [-0, '-0'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [2_147_483_648, '2147483648'],
    ['5000', '"5000"'],
  ],
  ["errors must be 'respond' or 'forward'", ['throw', '"throw"'], [true, 'true']],
  ['onError must be a function', [new Map([['log', 1]]), 'object'], ['log', '"log"']],
])('An option with a wrong value is refused: %s', (must, ...values) => {
  const [name = ''] = must.split(' ');
  for (const [value, shown] of [[undefined, 'undefined'], [null, 'null'], ...values]) {
    expect(make({ endpoints: [], [name]: value })).toThrow(
      new TypeError(`createEndpointRouter: option ${must}, got ${String(shown)}`),
    );
  }
});

it.each<Partial<EndpointRouterOptions>>([
  { clusterDatabases: 'system' },
  { notCoordinatorStatus: 501 },
  { timeoutMs: 0.5 },
  { timeoutMs: 2_147_483_647 },
  { errors: 'respond' },
])('Good options, of which no other test makes use, are taken: %p', (options) =>
  expect(make({ endpoints: [], ...options })).not.toThrow(),
);
