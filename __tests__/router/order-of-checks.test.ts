import supertest from 'supertest';
import { SYSTEM_DATABASE, type EndpointRouterOptions } from '../../lib/index.js';
import { behind, hostOf, serve, serverOf, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';
const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'] };

/** One GET, byte for byte as it stands here: the status, and the body. */
async function get(path: string, app = hostOf(coordinator).use(behind)): Promise<[status: number, body: string]> {
  const answer = await rawAnswer(serve(app), request('GET', path));
  return [Number(answer.split(' ')[1]), answer.slice(answer.indexOf('\r\n\r\n') + 4)];
}

describe('1. The path', () => {
  it.each([
    '/_api/cluster/endpoints',
    '/_api/cluster/endpoints/',
    '/_api/cluster/endpoints?_=1732742000',
    '/_api/cluster/endpoints/?',
    '/_api/endpoint',
    '/_api/endpoint/',
    '/_api/endpoint?a=/_db/other/',
    '/_api/endpoint?/../../_db/other/_api/endpoint',
    '/_api/endpoint/?a=1#b',
    `/_api/endpoint?${'a'.repeat(15_000)}`,
    '/_db/_system/_api/cluster/endpoints',
    '/_db/_system/_api/cluster/endpoints/',
    '/_db/%5Fsystem/_api/endpoint',
    '/_db/%5fsystem/_api/endpoint?x',
    'http:///_api/endpoint',
    'http://user:password@a/_api/endpoint',
    'https://[::1]:8529/_api/endpoint',
  ])('is ours, and is not redirected: %s', async (path) => {
    expect((await get(path))[0]).toBe(200);
  });

  it.each([
    '/',
    '/_API/endpoint',
    '/_api/Endpoint',
    '/_api/endpoints',
    '/_api/endpoint//',
    '/_api//endpoint',
    '//_api/endpoint',
    '/_api/endpoint/x',
    '/%5Fapi/endpoint',
    '/_api/endpoint%2F',
    '/_api/endpoint#',
    '/_api\\endpoint',
    '/_api/cluster',
    '/_api/cluster/endpoint',
    '/_api/cluster/endpoints/x',
    '/_api/cluster%2Fendpoints',
    '/_DB/_system/_api/endpoint',
    '/_db/_api/endpoint',
    '/_db//_api/endpoint',
    '/_db//_system/_api/endpoint',
    '/_db/_system//_api/endpoint',
    '/_db/_system/_db/_system/_api/endpoint',
    '/_db/other?/_api/endpoint',
    '/_db/other#/_api/endpoint',
    '/x/_api/endpoint',
    '/_api/endpoint;v=1',
    'ftp://a/_api/endpoint',
    'http://a?/_api/endpoint',
  ])('is not ours, and goes on untouched: %s', async (path) => {
    expect(await get(path)).toEqual([299, `GET  ${path}`]);
  });

  it('goes on untouched with every method', async () => {
    const agent = supertest(serve(hostOf(coordinator).use(behind)));
    expect((await agent.post('/_api/other')).text).toBe('POST  /_api/other');
    expect((await agent.options('/_api/other')).text).toBe('OPTIONS  /_api/other');
  });
});

it('2. The method is not changed by an override header', async () => {
  const response = await supertest(serverOf(coordinator)).post(SERVER).set('X-HTTP-Method-Override', 'GET');
  expect(response.status).toBe(405);
});

describe('3. The database name, percent-decoded once', () => {
  const undecodable = [
    '%zz',
    '%',
    '%5',
    '_system%',
    '%C1%9Fsystem',
    '%ff',
    '%ED%A0%80',
    '%u005Fsystem',
    '%5Fsystem%E0%A4',
  ];
  it.each(undecodable)('is refused with 400 / 1229 when it cannot be decoded: %s', async (name) => {
    for (const route of [CLUSTER, SERVER]) {
      expect(await get(`/_db/${name}${route}`)).toEqual([400, expect.stringContaining('"errorNum":1229')]);
    }
  });

  it('is decoded once only: %255Fsystem is the database "%5Fsystem"', async () => {
    expect(await get(`/_db/%255Fsystem${SERVER}`)).toEqual([400, expect.stringContaining('"errorNum":1230')]);
  });
});

describe('4. The guard', () => {
  it('lets requests in through one database, which the package names', async () => {
    expect(SYSTEM_DATABASE).toBe('_system');
    expect((await supertest(serverOf(coordinator)).get(`/_db/${SYSTEM_DATABASE}${CLUSTER}`)).status).toBe(200);
  });

  it.each([
    ...[
      'other',
      '_SYSTEM',
      '_system%20',
      '%20_system',
      '_system%00',
      '_system%0d%0a',
      '_syste',
      '_systemm',
      '_system.',
    ],
    ...['d%C3%A4%20b', 'a%2Fb', '_system%2Fother', 'other%2F..%2F_system', '.', '..', '%2e%2e', '*', '_system;x'],
    ...['%EF%BC%BFsystem', '%E2%80%8B_system', '_system%CC%81', '__proto__', 'constructor', 'x'.repeat(8000)],
  ])(
    'refuses the database %s with 400 / 1230 on the single route and 403 / 1230 on the cluster route',
    async (name) => {
      expect(await get(`/_db/${name}${SERVER}`)).toEqual([400, expect.stringContaining('"errorNum":1230')]);
      expect(await get(`/_db/${name}${CLUSTER}`)).toEqual([403, expect.stringContaining('"errorNum":1230')]);
    },
  );

  it('lets the cluster route answer in any database when the host says so, and only that route', async () => {
    const asked: string[] = [];
    const options: EndpointRouterOptions = {
      role: 'coordinator',
      clusterDatabases: 'any',
      endpoints: ({ database }) => {
        asked.push(database);
        return ['tcp://a:1'];
      },
    };
    expect((await supertest(serverOf(options)).get('/_db/d%C3%A4%20b/_api/cluster/endpoints')).status).toBe(200);
    expect((await supertest(serverOf(options)).get('/_db/other/_api/endpoint')).status).toBe(400);
    expect((await supertest(serverOf(options)).get('/_db/%zz/_api/cluster/endpoints')).status).toBe(400);
    expect(asked).toEqual(['dä b']);
  });

  it.each([
    [undefined, SERVER, 400],
    ['_system', SERVER, 200],
    ['_system', `/_db/other${SERVER}`, 400],
    ['_system', `/_db/%zz${SERVER}`, 400],
  ])('asks databaseName(req) of the host beside the URL: %s and %s: %i', async (database, path, status) => {
    const databaseName = (): string => database ?? 'none';
    expect((await get(path, hostOf({ ...coordinator, databaseName })))[0]).toBe(status);
  });

  it('gives the provider the name that databaseName says, where both name a foreign database', async () => {
    const asked: string[] = [];
    const options: EndpointRouterOptions = {
      role: 'coordinator',
      clusterDatabases: 'any',
      databaseName: (req) => req.get('x-database') ?? '_system',
      endpoints: ({ database }) => {
        asked.push(database);
        return [];
      },
    };
    await supertest(serverOf(options)).get(`/_db/one${CLUSTER}`).set('x-database', 'two').expect(200);
    await supertest(serverOf(options)).get(`/_db/one${CLUSTER}`).expect(200);
    expect(asked).toEqual(['two', 'one']);
  });
});

describe('5. The role', () => {
  it.each([
    ['single', 501],
    ['dbserver', 501],
    ['agent', 501],
    ['coordinator', 200],
  ] as const)('%s: the cluster route answers %i, and the single route 200', async (role, status) => {
    const app = hostOf({ role, endpoints: ['tcp://a'] });
    expect((await get(CLUSTER, app))[0]).toBe(status);
    expect(await get(SERVER, app)).toEqual([200, '[{"endpoint":"http://a:8529"}]']);
  });

  it('is not asked for a request that is refused before, nor reported when it would have failed', async () => {
    const onError = jest.fn();
    const role = jest.fn(() => {
      throw new Error('the registry is down');
    });
    const agent = supertest(serverOf({ role, endpoints: [], onError }));
    expect((await agent.post(SERVER)).status).toBe(405);
    expect((await agent.post(CLUSTER)).status).toBe(405);
    expect((await agent.get(`/_db/other${SERVER}`)).status).toBe(400);
    expect((await agent.get(`/_db/%zz${SERVER}`)).status).toBe(400);
    expect(role).not.toHaveBeenCalled();
    expect(onError).not.toHaveBeenCalled();
  });

  it('may be a function, asked once on every request', async () => {
    const role = jest.fn<'single' | 'coordinator', []>(() => 'single');
    const agent = supertest(serverOf({ role, endpoints: ['tcp://a'] }));
    expect((await agent.get(CLUSTER)).status).toBe(501);
    expect((await agent.get(SERVER)).headers['link']).toBeUndefined();
    role.mockReturnValue('coordinator');
    expect((await agent.get(CLUSTER)).status).toBe(200);
    expect((await agent.get(SERVER)).headers['link']).toContain('successor-version');
    expect(role).toHaveBeenCalledTimes(4);
  });
});

describe('6. The provider', () => {
  it.each([
    ['POST', '/_api/endpoint'],
    ['HEAD', '/_api/cluster/endpoints'],
    ['OPTIONS', '/_api/endpoint'],
    ['GET', '/_db/%zz/_api/endpoint'],
    ['GET', '/_db/other/_api/endpoint'],
    ['GET', '/_db/other/_api/cluster/endpoints'],
    ['GET', '/_api/cluster/endpoints'],
    ['GET', '/_api/nothing'],
  ])('is not asked for %s %s on a single server, and onError is not told', async (method, path) => {
    const [endpoints, onError] = [jest.fn(() => ['tcp://a:1']), jest.fn()];
    const agent = supertest(serverOf({ endpoints, onError }));
    const response = await agent[method.toLowerCase() as 'get' | 'post' | 'head' | 'options'](path);
    expect(response.status).not.toBe(200);
    expect([endpoints.mock.calls, onError.mock.calls]).toEqual([[], []]);
  });

  it('is asked once per answer, and told which listing and database', async () => {
    const asked: unknown[] = [];
    const options: EndpointRouterOptions = {
      role: 'coordinator',
      endpoints: ({ listing, database, req }) => {
        asked.push([listing, database, req.get('x-client')]);
        return [];
      },
    };
    await supertest(serverOf(options)).get(CLUSTER).set('x-client', 'one');
    await supertest(serverOf(options)).get('/_db/_system/_api/endpoint').set('x-client', 'two');
    expect(asked).toEqual([
      ['cluster', '_system', 'one'],
      ['server', '_system', 'two'],
    ]);
  });
});

it('The cluster listing keeps the order of the provider, and drops what is the same after normalising', async () => {
  const endpoints = (): string[] => ['tcp://b', 'tcp://a:1', 'HTTP://B:8529/', 'ssl://a:1', 'http+tcp://a:1'];
  expect(await get(CLUSTER, hostOf({ ...coordinator, endpoints }))).toEqual([
    200,
    '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://b:8529"},{"endpoint":"tcp://a:1"},{"endpoint":"ssl://a:1"}]}',
  ]);
});

it.each([
  ['/_api/endpoint', 'http://h/_api/cluster/endpoints'],
  ['/_api/endpoint/', 'http://h/_api/cluster/endpoints'],
  ['/_db/_system/_api/endpoint', 'http://h/_db/_system/_api/cluster/endpoints'],
  ['/_db/_system/_api/endpoint/?x=1', 'http://h/_db/_system/_api/cluster/endpoints'],
])('Link to the successor, on the single route of a coordinator from %s leads to %s', async (path, target) => {
  const { headers } = await supertest(serverOf(coordinator)).get(path);
  const [, reference = ''] = /^<([^>]+)>; rel="successor-version"$/.exec(headers['link'] ?? '') ?? [];
  expect(new URL(reference, `http://h${path}`).href).toBe(target);
});

it.each([
  'Accept: application/x-velocypack',
  'Accept: text/html',
  'Accept: nothing/known;q=0',
  'Accept-Encoding: gzip, br',
  'Content-Type: text/plain',
  'X-Arango-Async: store',
  'X-Original-URL: /_db/other/_api/endpoint',
  'X-Rewrite-URL: /_db/other/_api/endpoint',
  'If-None-Match: *',
  'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
  'Range: bytes=0-1',
  'Authorization: Basic cm9vdDo=',
  'Upgrade: h2c',
  '__proto__: x',
])('Whatever the request carries, the answer is the same: %s', async (line) => {
  const options = { endpoints: ['tcp://a'] };
  expect(await usualAnswer(options, request('GET', SERVER, line))).toBe(
    await usualAnswer(options, request('GET', SERVER)),
  );
});
