import { ask, clusters, CLUSTER_ROUTE, listing } from '../support/testing/cluster.js';

const start = clusters();
const { setImmediate: takenAway } = globalThis;

describe.each([
  [
    'Without a global setImmediate, as in jsdom,',
    () => Object.assign(globalThis, { setImmediate: undefined }),
    () => Object.assign(globalThis, { setImmediate: takenAway }),
  ],
  ['With the fake timers of jest, as they are by default,', () => jest.useFakeTimers(), () => jest.useRealTimers()],
])('%s a cluster', (_, begin, end) => {
  beforeEach(() => {
    begin();
  });
  afterEach(() => {
    end();
  });

  it('answers on every route: the listings, those that drivers ask, its own, and none', async () => {
    const { urls, endpoints, coordinators } = await start({
      auth: { username: 'app', password: 'secret' },
      database: 'shop',
      routes: (router) => {
        router.get('/mine', (_req, res) => {
          res.json('mine');
        });
        router.get('/broken', () => {
          throw new Error('the stub is wrong');
        });
        router.use((_req, _res, next) => next());
      },
    });
    const body = JSON.stringify({ username: 'app', password: 'secret' });
    const [status, token] = await ask(urls[0], '/_open/auth', { method: 'POST', body });
    expect(status).toBe(200);
    const headers = { Authorization: `Bearer ${(token as { jwt: string }).jwt}` };
    expect(await ask(urls[0], CLUSTER_ROUTE, { headers })).toEqual([200, listing(endpoints)]);
    const seen: unknown[] = [];
    for (const path of [
      '/_api/endpoint',
      '/_api/version',
      '/mine',
      '/_db/shop/mine',
      '/broken',
      '/nowhere',
      '/_db/no/x',
    ]) {
      seen.push((await ask(urls[1], path, { headers }))[0]);
    }
    expect([...seen, (await ask(urls[1]))[0]]).toEqual([200, 200, 200, 200, 500, 404, 404, 401]);
    await coordinators[2]?.stop();
    await coordinators[2]?.start();
    expect((await ask(urls[2], CLUSTER_ROUTE, { headers }))[0]).toBe(200);
  });

  it('has its troubles, late and slow ones too', async () => {
    const { urls, endpoints, trouble } = await start({ coordinators: 1 });
    trouble({ kind: 'status', status: 503, times: 1 });
    trouble({ kind: 'delay', milliseconds: 5, times: 1 });
    trouble({ kind: 'slow-drip', bytes: 20, intervalMs: 1, times: 1 });
    trouble({ kind: 'gzip', times: 1 });
    expect((await ask(urls[0]))[0]).toBe(503);
    for (let sent = 0; sent < 3; sent += 1) expect(await ask(urls[0])).toEqual([200, listing(endpoints)]);
  });
});
