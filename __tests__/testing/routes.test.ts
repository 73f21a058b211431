import { Agent, request } from 'node:http';
import { ask, clusters, CLUSTER_ROUTE, listing } from '../support/testing/cluster.js';

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
    ['/_admin/server/role', { error: false, code: 200, role: 'COORDINATOR' }],
  ])('%s, the same below each database', async (path, body) => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], path)).toEqual([200, body]);
    expect(await ask(urls[0], `/_db/_system${path}`)).toEqual([200, body]);
    expect(await ask(urls[0], `/_db/shop${path}?details=true`)).toEqual([200, body]);
  });

  it.each([
    ['', '_system', true],
    ['/_db/_system', '_system', true],
    ['/_db/shop', 'shop', false],
    ['/_db/%C3%BCber', '\u00fcber', false],
  ])('%s/_api/database/current, which names the database', async (prefix, name, isSystem) => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], `${prefix}/_api/database/current`)).toEqual([
      200,
      { error: false, code: 200, result: { id: '1', name, isSystem, path: '' } },
    ]);
  });

  it.each([
    ['/_api/collection', '/_api/collection'],
    ['/_db/shop/_api/document/a/1?x=1', '/_db/shop/_api/document/a/1'],
    ['/_db/shop', '/_db/shop'],
    ['/', '/'],
  ])('%s and everything else with 404, in the form of the server', async (path, shown) => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], path)).toEqual([
      404,
      { code: 404, error: true, errorMessage: `unknown path '${shown}'`, errorNum: 404 },
    ]);
  });
});

describe('The databases of a cluster', () => {
  it('are all that are asked for, unless one is named', async () => {
    const { urls } = await start({ coordinators: 1, database: 'shop' });
    for (const path of ['/_api/version', '/_db/_system/_api/version', '/_db/shop/_api/version']) {
      expect((await ask(urls[0], path))[0]).toBe(200);
    }
    const missing = { code: 404, error: true, errorMessage: 'database not found', errorNum: 1228 };
    expect(await ask(urls[0], '/_db/store/_api/version')).toEqual([404, missing]);
    expect(await ask(urls[0], `/_db/store${CLUSTER_ROUTE}`)).toEqual([404, missing]);
  });

  it('have names that can be decoded', async () => {
    const { urls } = await start({ coordinators: 1 });
    expect(await ask(urls[0], '/_db/%zz/_api/version')).toEqual([
      400,
      { code: 400, error: true, errorMessage: 'database name invalid', errorNum: 1229 },
    ]);
  });

  it("have no list but _system, unless clusterDatabases is 'any'", async () => {
    const strict = await start({ coordinators: 1 });
    expect(await ask(strict.urls[0], `/_db/shop${CLUSTER_ROUTE}`)).toMatchObject([403, { errorNum: 1230 }]);
    const any = await start({ coordinators: 1, clusterDatabases: 'any' });
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

  it('gives tokens below each database too, as arangojs asks for them', async () => {
    const { urls } = await start({ coordinators: 1, auth });
    const answer = await ask(urls[0], '/_db/_system/_open/auth', { method: 'POST', body: JSON.stringify(auth) });
    expect(answer).toMatchObject([200, { jwt: expect.any(String) as string }]);
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
    const { urls } = await start({
      coordinators: 1,
      routes: (router) => {
        router.get('/', (req, res) => {
          res.json({ query: req.query, database: res.locals['database'] as string });
        });
      },
    });
    expect(await ask(urls[0], '/_db/shop?a=1')).toEqual([200, { query: { a: '1' }, database: 'shop' }]);
  });

  it('answer 500 in the form of the server when they throw, with the text that the author of the test looks for', async () => {
    const thrown: unknown[] = [new Error('the stub is wrong'), 'a text'];
    const { urls } = await start({
      coordinators: 1,
      routes: (router) => {
        router.get('/_api/document/:id', () => {
          throw thrown.shift();
        });
      },
    });
    const body = { code: 500, error: true, errorMessage: 'the stub is wrong', errorNum: 4 };
    expect(await ask(urls[0], '/_api/document/1')).toEqual([500, body]);
    expect(await ask(urls[0], '/_api/document/1')).toEqual([500, { ...body, errorMessage: 'a text' }]);
  });

  it('end the connection when they throw in the middle of an answer', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { urls } = await start({
      coordinators: 1,
      routes: (router) => {
        router.get('/half', (_req, res) => {
          res.set('Content-Length', '10').write('half');
          throw new Error('too late');
        });
      },
    });
    const ended = new Promise((resolve) => {
      request(`${String(urls[0])}/half`, { agent: new Agent() }, (res) => {
        res.resume().on('error', ({ code }: NodeJS.ErrnoException) => {
          resolve(code);
        });
      }).end();
    });
    expect(await ended).toBe('ECONNRESET');
    print.mockRestore();
  });
});
