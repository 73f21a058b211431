import express from 'express';
import supertest from 'supertest';
import { createEndpointRouter, SYSTEM_DATABASE, type EndpointRouterOptions } from '../../lib/index.js';
import { behind, serve, serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';
const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a:1'] };

describe('1. The path', () => {
  const host = (): ReturnType<typeof serve> => {
    const app = express();
    app.use(createEndpointRouter(coordinator));
    app.use(behind);
    return serve(app);
  };

  it.each([
    '/_api/cluster/endpoints',
    '/_api/cluster/endpoints/',
    '/_api/cluster/endpoints?_=1732742000',
    '/_api/cluster/endpoints/?',
    '/_api/endpoint',
    '/_api/endpoint/',
    '/_api/endpoint?a=/_db/other/',
    '/_db/_system/_api/cluster/endpoints',
    '/_db/_system/_api/cluster/endpoints/',
    '/_db/%5Fsystem/_api/endpoint',
    '/_db/%5fsystem/_api/endpoint?x',
  ])('is ours, and is not redirected: %s', async (path) => {
    expect((await supertest(host()).get(path).redirects(0)).status).toBe(200);
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
    '/_api/cluster',
    '/_api/cluster/endpoint',
    '/_api/cluster/endpoints/x',
    '/_api/cluster%2Fendpoints',
    '/_DB/_system/_api/endpoint',
    '/_db/_api/endpoint',
    '/_db//_api/endpoint',
    '/_db/_system//_api/endpoint',
    '/_db/_system/_db/_system/_api/endpoint',
    '/x/_api/endpoint',
    '/_api/endpoint;v=1',
  ])('is not ours, and goes on untouched: %s', async (path) => {
    const response = await supertest(host()).get(path);
    expect(response.status).toBe(299);
    expect(response.text).toBe(`GET  ${path}`);
  });

  it('goes on untouched with every method', async () => {
    expect((await supertest(host()).post('/_api/other')).text).toBe('POST  /_api/other');
    expect((await supertest(host()).options('/_api/other')).text).toBe('OPTIONS  /_api/other');
  });
});

describe('2. The method', () => {
  it('is not changed by an override header', async () => {
    const response = await supertest(serverOf(coordinator)).post(SERVER).set('X-HTTP-Method-Override', 'GET');
    expect(response.status).toBe(405);
  });
});

describe('3. The database name, percent-decoded once', () => {
  it.each(['%zz', '%', '%5', '_system%', '%C1%9Fsystem', '%ff', '%5Fsystem%E0%A4'])(
    'is refused with 400 / 1229 when it cannot be decoded: %s',
    async (name) => {
      for (const route of [CLUSTER, SERVER]) {
        const response = await supertest(serverOf(coordinator)).get(`/_db/${name}${route}`);
        expect([response.status, response.body]).toEqual([
          400,
          { code: 400, error: true, errorMessage: 'database name invalid', errorNum: 1229 },
        ]);
      }
    },
  );

  it('is decoded once only: %255Fsystem is the database "%5Fsystem"', async () => {
    const response = await supertest(serverOf(coordinator)).get('/_db/%255Fsystem/_api/endpoint');
    expect([response.status, response.body]).toMatchObject([400, { errorNum: 1230 }]);
  });
});

describe('4. The guard', () => {
  it('lets requests in through one database, which the package names', async () => {
    expect(SYSTEM_DATABASE).toBe('_system');
    expect((await supertest(serverOf(coordinator)).get(`/_db/${SYSTEM_DATABASE}${CLUSTER}`)).status).toBe(200);
  });

  it.each(['other', '_SYSTEM', '_system%20', '%20_system', '_system%00', '_syste', '_systemm', 'd%C3%A4%20b', 'a%2Fb'])(
    'refuses the database %s with 400 / 1230 on the single route and 403 / 1230 on the cluster route',
    async (name) => {
      const server = await supertest(serverOf(coordinator)).get(`/_db/${name}${SERVER}`);
      expect([server.status, server.body]).toMatchObject([400, { code: 400, errorNum: 1230 }]);
      const cluster = await supertest(serverOf(coordinator)).get(`/_db/${name}${CLUSTER}`);
      expect([cluster.status, cluster.body]).toMatchObject([403, { code: 403, errorNum: 1230 }]);
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

  it('asks databaseName(req) of the host beside the URL, and a foreign name in either counts', async () => {
    const options: EndpointRouterOptions = {
      ...coordinator,
      databaseName: (req) => req.get('x-database') ?? 'none',
    };
    expect((await supertest(serverOf(options)).get(SERVER)).status).toBe(400);
    expect((await supertest(serverOf(options)).get(SERVER).set('x-database', '_system')).status).toBe(200);
    expect(
      (await supertest(serverOf(options)).get('/_db/other/_api/endpoint').set('x-database', '_system')).status,
    ).toBe(400);
    const undecodable = await supertest(serverOf(options)).get('/_db/%zz/_api/endpoint').set('x-database', '_system');
    expect([undecodable.status, undecodable.body]).toMatchObject([400, { errorNum: 1229 }]);
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
  it.each(['single', 'dbserver', 'agent'] as const)('%s: the cluster route answers 501 / 9', async (role) => {
    const response = await supertest(serverOf({ role, endpoints: [] })).get(CLUSTER);
    expect([response.status, response.body]).toMatchObject([501, { errorNum: 9 }]);
  });

  it.each(['single', 'coordinator', 'dbserver', 'agent'] as const)('%s: the single route answers 200', async (role) => {
    const response = await supertest(serverOf({ role, endpoints: ['tcp://a'] })).get(SERVER);
    expect([response.status, response.body]).toEqual([200, [{ endpoint: 'http://a:8529' }]]);
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

  it('may be a function, asked on every request', async () => {
    let role: 'single' | 'coordinator' = 'single';
    const server = (): ReturnType<typeof serverOf> => serverOf({ role: () => role, endpoints: ['tcp://a'] });
    expect((await supertest(server()).get(CLUSTER)).status).toBe(501);
    expect((await supertest(server()).get(SERVER)).headers['link']).toBeUndefined();
    role = 'coordinator';
    expect((await supertest(server()).get(CLUSTER)).status).toBe(200);
    expect((await supertest(server()).get(SERVER)).headers['link']).toBe(
      '<../_api/cluster/endpoints>; rel="successor-version"',
    );
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
