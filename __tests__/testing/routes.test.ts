import express from 'express';
import { Agent, request } from 'node:http';
import { ask as askEndpoint } from '../support/router/ask.js';
import { ask, clusters, CLUSTER_ROUTE, listing, withRoute } from '../support/testing/cluster.js';

const start = clusters();

const REFUSED = { code: 401, error: true, errorMessage: 'not authorized to execute this request', errorNum: 11 };
const basic = (user: string): RequestInit => ({
  headers: { Authorization: `Basic ${Buffer.from(user).toString('base64')}` },
});
const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
const login = (url: string | undefined, body: string): Promise<[number, unknown]> =>
  ask(url, '/_open/auth', { method: 'POST', body });

describe('Beside the listings a coordinator answers what drivers ask on the way to them:', () => {
  it.each([
    ['/_api/version', { server: 'arango', license: 'community', version: '3.12.0' }],
    ['/_admin/server/availability', { error: false, code: 200, mode: 'default' }],
    ['/_admin/server/mode', { error: false, code: 200, mode: 'default' }],
    ['/_admin/server/role', { error: false, code: 200, role: 'COORDINATOR' }],
  ])('%s, the same below each database', async (path, body) => {
    const { urls } = await start({ coordinators: 1, database: 'shop' });
    expect(await ask(urls[0], path)).toEqual([200, body]);
    expect(await ask(urls[0], `/_db/_system${path}/`)).toEqual([200, body]);
    expect((await fetch(String(urls[0]) + path, { method: 'HEAD' })).status).toBe(200);
    expect(await ask(urls[0], `/_db/shop${path}?details=false`)).toEqual([200, body]);
  });

  it('/_api/version?details=true, with details', async () => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], '/_api/version?details=true')).toEqual([
      200,
      {
        server: 'arango',
        license: 'community',
        version: '3.12.0',
        details: { architecture: '64bit', mode: 'server', role: 'COORDINATOR', 'server-version': '3.12.0' },
      },
    ]);
  });

  it('/_admin/server/id, another one at each coordinator, and none outside of a cluster', async () => {
    const { urls, setRole } = await start({ coordinators: 2 });
    const ids = await Promise.all(urls.map((url) => ask(url, '/_admin/server/id')));
    const id = expect.stringMatching(/^CRDN-[\da-f-]{36}$/) as string;
    expect(ids).toEqual([1, 2].map(() => [200, { error: false, code: 200, id }]));
    expect(new Set(ids.map(([, body]) => (body as { id: string }).id)).size).toBe(2);
    setRole('single');
    expect(await ask(urls[0], '/_admin/server/id')).toMatchObject([500, { code: 500, error: true, errorNum: 500 }]);
  });

  it('/_admin/cluster/health, with the coordinators, and at a coordinator only', async () => {
    const { urls, endpoints, coordinators, setRole } = await start({ coordinators: 2 });
    await coordinators[1]?.stop();
    const [status, body] = await ask(urls[0], '/_admin/cluster/health');
    const { ClusterId, Health } = body as { ClusterId: string; Health: Record<string, unknown> };
    const common = { Role: 'Coordinator', Version: '3.12.0', Engine: 'rocksdb' };
    expect([status, ClusterId]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(Object.values(Health)).toMatchObject([
      { ...common, Endpoint: endpoints[0], ShortName: 'Coordinator0001', Status: 'GOOD', SyncStatus: 'SERVING' },
      { ...common, Endpoint: endpoints[1], ShortName: 'Coordinator0002', Status: 'FAILED', SyncStatus: 'UNKNOWN' },
    ]);
    const [, own] = await ask(urls[0], '/_admin/server/id');
    expect(Object.keys(Health)[0]).toBe((own as { id: string }).id);
    setRole('dbserver');
    expect(await ask(urls[0], '/_admin/cluster/health')).toMatchObject([403, { errorNum: 403 }]);
  });

  it.each([
    ['', '_system', '1', true],
    ['/_db/_system', '_system', '1', true],
    ['/_db/%C3%BCber', '\u00fcber', '2', false],
  ])('%s/_api/database/current, which names the database', async (prefix, name, id, isSystem) => {
    const { urls } = await start({ coordinators: 1, database: '\u00fcber' });
    expect(await ask(urls[0], `${prefix}/_api/database/current`)).toEqual([
      200,
      { error: false, code: 200, result: { id, name, isSystem, path: '' } },
    ]);
  });

  it.each([
    ['/_api/collection', '/_api/collection'],
    ['/_db/shop/_api/document/a/1?x=1', '/_db/shop/_api/document/a/1'],
    ['/_db/shop', '/_db/shop'],
    ['/', '/'],
  ])('%s and everything else with 404, in the form of the server', async (path, shown) => {
    const { urls } = await start({ coordinators: 1, database: 'shop' });
    expect(await ask(urls[0], path)).toEqual([
      404,
      { code: 404, error: true, errorMessage: `unknown path '${shown}'`, errorNum: 404 },
    ]);
  });
});

it.each(['http://', 'foo://h'])(
  'A target without a path is answered with 404 in the form of the server: %s',
  async (path) => {
    const { endpoints } = await start({ coordinators: 1 });
    const { status, body } = await askEndpoint(String(endpoints[0]), { path });
    const errorMessage = `unknown path '${path}'`;
    expect([status, JSON.parse(body)]).toEqual([404, { code: 404, error: true, errorMessage, errorNum: 404 }]);
  },
);

const MISSING = { code: 404, error: true, errorMessage: 'database not found', errorNum: 1228 };

describe('The databases of a cluster', () => {
  const names = async (url: string | undefined, path = '/_api/database'): Promise<unknown> =>
    ((await ask(url, path))[1] as { result: unknown }).result;
  const create = (url: string | undefined, body: unknown, prefix = ''): Promise<[number, unknown]> =>
    ask(url, `${prefix}/_api/database`, { method: 'POST', body: JSON.stringify(body) });
  const drop = (url: string | undefined, name: string, prefix = ''): Promise<[number, unknown]> =>
    ask(url, `${prefix}/_api/database/${name}`, { method: 'DELETE' });

  it('are _system and the one that is named; any other is 404 on every route', async () => {
    const { urls } = await start(
      withRoute(
        '/mine',
        (_req, res) => {
          res.json('mine');
        },
        { database: 'shop' },
      ),
    );
    const paths = ['/_api/version', '/mine', CLUSTER_ROUTE, '/_api/endpoint', '/_api/database/current', '/nowhere'];
    for (const path of paths) expect(await ask(urls[0], `/_db/store${path}`)).toEqual([404, MISSING]);
    for (const prefix of ['', '/_db/_system', '/_db/shop']) {
      expect((await ask(urls[0], `${prefix}/_api/version`))[0]).toBe(200);
    }
    expect(await names(urls[0])).toEqual(['_system', 'shop']);
  });

  it('are made and dropped at any coordinator, and are those of the start again after a reset', async () => {
    const { urls, reset } = await start({ coordinators: 2, database: 'shop' });
    expect(await create(urls[0], { name: 'new', users: [] })).toEqual([201, { error: false, code: 201, result: true }]);
    expect(await names(urls[1])).toEqual(['_system', 'new', 'shop']);
    expect(await names(urls[1], '/_db/new/_api/database/user')).toEqual(['_system', 'new', 'shop']);
    expect(await ask(urls[1], '/_db/new/_api/database/current')).toMatchObject([200, { result: { name: 'new' } }]);
    expect(await drop(urls[1], 'new')).toEqual([200, { error: false, code: 200, result: true }]);
    expect(await ask(urls[0], '/_db/new/_api/version')).toEqual([404, MISSING]);
    expect(await drop(urls[0], 'new')).toEqual([404, MISSING]);
    expect(await drop(urls[0], '%zz')).toEqual([404, MISSING]);
    await create(urls[0], { name: 'other' });
    await drop(urls[0], 'shop/');
    await reset();
    expect(await names(urls[0])).toEqual(['_system', 'shop']);
  });

  it.each([
    ['a name twice', { name: 'shop' }, 409, 1207],
    ['_system again', { name: '_system' }, 409, 1207],
    ['no name', {}, 400, 1229],
    ['a name that is no text', { name: 7 }, 400, 1229],
    ['a slash', { name: 'a/b' }, 400, 1229],
    ['a digit in front', { name: '1a' }, 400, 1229],
    ['a blank at the end', { name: 'a ' }, 400, 1229],
    ['129 bytes', { name: 'a'.repeat(129) }, 400, 1229],
  ])('refuse %s', async (_, body, status, errorNum) => {
    const { urls } = await start({ coordinators: 1, database: 'shop' });
    expect(await create(urls[0], body)).toMatchObject([status, { code: status, error: true, errorNum }]);
  });

  it('say of a name that is not in NFC what is wrong with it', async () => {
    const { urls } = await start({ coordinators: 1 });
    const errorMessage = 'database name is not properly UTF-8 NFC-normalized';
    expect(await create(urls[0], { name: 'u\u0308ber' })).toMatchObject([400, { errorNum: 1229, errorMessage }]);
    expect(await create(urls[0], { name: '\u00fcber' })).toMatchObject([201, {}]);
  });

  it('are made, listed and dropped through _system only, which stays', async () => {
    const { urls } = await start({ coordinators: 1, database: 'shop' });
    const elsewhere = [
      403,
      { code: 403, error: true, errorMessage: 'operation only allowed in system database', errorNum: 1230 },
    ];
    expect(await ask(urls[0], '/_db/shop/_api/database')).toEqual(elsewhere);
    expect(await create(urls[0], { name: 'new' }, '/_db/shop')).toEqual(elsewhere);
    expect(await drop(urls[0], 'shop', '/_db/shop')).toEqual(elsewhere);
    expect(await drop(urls[0], '_system')).toMatchObject([403, { errorNum: 11 }]);
    expect(await names(urls[0])).toEqual(['_system', 'shop']);
  });

  it('can be made from a body that a route of your own has read', async () => {
    const { urls } = await start({
      coordinators: 1,
      routes: (router) => {
        router.use(express.json({ type: () => true }));
      },
    });
    expect((await create(urls[0], { name: 'shop' }))[0]).toBe(201);
  });

  it('have names that can be decoded', async () => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], '/_db/%zz/_api/version')).toEqual([
      400,
      { code: 400, error: true, errorMessage: 'database name invalid', errorNum: 1229 },
    ]);
  });

  it("have no list but _system, unless clusterDatabases is 'any'", async () => {
    const strict = await start({ coordinators: 1, database: 'shop' });
    expect(await ask(strict.urls[0], `/_db/shop${CLUSTER_ROUTE}`)).toMatchObject([403, { errorNum: 1230 }]);
    const any = await start({ coordinators: 1, database: 'shop', clusterDatabases: 'any' });
    expect(await ask(any.urls[0], `/_db/shop${CLUSTER_ROUTE}`)).toEqual([200, listing(any.endpoints)]);
  });
});

describe('With auth a cluster', () => {
  const auth = { username: 'app', password: 'open:Sesame' };

  it('refuses whoever shows no credentials, or wrong ones', async () => {
    const { urls } = await start({ coordinators: 1, auth });
    const none: RequestInit[] = [
      {},
      basic('app:wrong'),
      basic('app'),
      bearer('a.b.c'),
      bearer('x'),
      { headers: { Authorization: 'Digest x' } },
    ];
    for (const init of none) {
      for (const path of [CLUSTER_ROUTE, '/_api/version', '/nowhere']) {
        expect(await ask(urls[0], path, init)).toEqual([401, REFUSED]);
      }
    }
    const { headers } = await fetch(String(urls[0]) + CLUSTER_ROUTE);
    expect(headers.get('www-authenticate')).toBe('Bearer token_type="JWT", realm="ArangoDB"');
  });

  it('takes user and password', async () => {
    const { urls, endpoints } = await start({ coordinators: 1, auth });
    expect(await ask(urls[0], CLUSTER_ROUTE, basic('app:open:Sesame'))).toEqual([200, listing(endpoints)]);
  });

  it('takes the token that /_open/auth gives for them, at each coordinator', async () => {
    const { urls, endpoints } = await start({ auth });
    const [status, body] = await login(urls[0], JSON.stringify(auth));
    const { jwt } = body as { jwt: string };
    expect(status).toBe(200);
    for (const url of urls) expect(await ask(url, CLUSTER_ROUTE, bearer(jwt))).toEqual([200, listing(endpoints)]);

    const other = await start({ auth });
    expect((await ask(other.urls[0], CLUSTER_ROUTE, bearer(jwt)))[0]).toBe(401);
  });

  it('gives tokens that say whose they are and for how long, as drivers read them', async () => {
    const { urls } = await start({ coordinators: 1, auth });
    const [, body] = await login(urls[0], JSON.stringify(auth));
    const [head, claims] = (body as { jwt: string }).jwt
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    expect(head).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toMatchObject({ preferred_username: 'app', iss: 'arangodb' });
    expect(Number(claims?.['exp']) - Number(claims?.['iat'])).toBe(2_592_000);
  });

  it.each(['{"username":"app","password":"wrong"}', '{}', '[]', ''])('gives no token for %j', async (sent) => {
    const { urls } = await start({ coordinators: 1, auth });
    expect(await login(urls[0], sent)).toEqual([
      401,
      { code: 401, error: true, errorMessage: 'Wrong credentials', errorNum: 401 },
    ]);
  });

  it('gives no token for what is not JSON', async () => {
    const { urls } = await start({ coordinators: 1, auth });
    expect(await login(urls[0], 'username=app')).toMatchObject([400, { code: 400, error: true, errorNum: 400 }]);
  });

  it('has the user root with an empty password where they are not given', async () => {
    const { urls } = await start({ coordinators: 1, auth: {} });
    expect((await ask(urls[0], CLUSTER_ROUTE, basic('root:')))[0]).toBe(200);
    expect((await ask(urls[0], CLUSTER_ROUTE, basic('root:x')))[0]).toBe(401);
  });

  it('is not asked for: everybody is allowed, and gets a token', async () => {
    const { urls } = await start({ coordinators: 1 });
    expect((await ask(urls[0], CLUSTER_ROUTE, basic('nobody:knows')))[0]).toBe(200);
    expect(await login(urls[0], '{}')).toMatchObject([200, { jwt: expect.any(String) as string }]);
  });
});

describe('Routes of your own', () => {
  it('are in front of the others, in each database, and know coordinator and database', async () => {
    const cluster = await start({
      coordinators: 2,
      database: 'shop',
      routes: (router, coordinator) => {
        router.get('/_api/version', (_req, res) => {
          res.json({ coordinator, database: res.locals['database'] as string });
        });
      },
    });
    expect(await ask(cluster.urls[1], '/_api/version')).toEqual([200, { coordinator: 1, database: '_system' }]);
    expect(await ask(cluster.urls[0], '/_db/shop/_api/version')).toEqual([200, { coordinator: 0, database: 'shop' }]);
    expect(await ask(cluster.urls[0], '/_admin/server/availability')).toMatchObject([200, { mode: 'default' }]);
  });

  it('answer at /_db/:name itself too', async () => {
    const { urls } = await start(
      withRoute(
        '/',
        (req, res) => {
          res.json({ query: req.query, database: res.locals['database'] as string });
        },
        { database: 'shop' },
      ),
    );
    expect(await ask(urls[0], '/_db/shop?a=1')).toEqual([200, { query: { a: '1' }, database: 'shop' }]);
  });

  it('answer 500 in the form of the server when they throw, with the text that the author of the test looks for', async () => {
    const thrown: unknown[] = [new Error('the stub is wrong'), 'a text'];
    const { urls } = await start(
      withRoute('/_api/document/:id', () => {
        throw thrown.shift();
      }),
    );
    const body = { code: 500, error: true, errorMessage: 'the stub is wrong', errorNum: 4 };
    expect(await ask(urls[0], '/_api/document/1')).toEqual([500, body]);
    expect(await ask(urls[0], '/_api/document/1')).toEqual([500, { ...body, errorMessage: 'a text' }]);
  });

  it('end the connection when they throw in the middle of an answer', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { urls } = await start(
      withRoute('/half', (_req, res) => {
        res.set('Content-Length', '10').write('half');
        throw new Error('too late');
      }),
    );
    const ended = new Promise((resolve) => {
      request(`${String(urls[0])}/half`, { agent: new Agent() }, (res) => {
        res.resume().on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
      }).end();
    });
    expect(await ended).toBe('ECONNRESET');
    print.mockRestore();
  });
});
