import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import { clusters } from '../support/testing/cluster.js';

const start = clusters();

describe.each([
  ['arangojs 10', Database as unknown as typeof Database8],
  ['arangojs 8', Database8],
])('%s', (_name, Driver) => {
  it('connects, acquires the list, and sends requests to all coordinators in turn', async () => {
    const cluster = await start({ auth: { username: 'app', password: 'secret' } });
    const db = new Driver({ url: String(cluster.urls[0]), loadBalancingStrategy: 'ROUND_ROBIN' });
    await db.login('app', 'secret');
    await db.acquireHostList();
    expect((await db.get()).name).toBe('_system');
    for (let sent = 0; sent < 6; sent += 1) expect((await db.version()).version).toBe('3.12.0');
    const served = cluster.requests.filter(({ url }) => url.includes('/_api/version'));
    expect([0, 1, 2].map((index) => served.filter(({ coordinator }) => coordinator === index).length)).toEqual([
      2, 2, 2,
    ]);
    db.close();
  });

  /** The hosts that a handle knows, without the slash that some versions write behind them. */
  const hosts = (db: InstanceType<typeof Database8>): string[] => {
    const { _connection: connection } = db as unknown as { _connection: { _hostUrls: string[] } };
    return connection._hostUrls.map((url) => url.replace(/\/$/, ''));
  };

  it.each([
    ['in another database', 'shop', 'coordinator', { code: 403, errorNum: 1230 }],
    ['from a single server', '_system', 'single', { code: 501, errorNum: 9 }],
  ] as const)('gets an ArangoError %s', async (_what, databaseName, role, error) => {
    const cluster = await start({ coordinators: 1, database: 'shop' });
    cluster.setRole(role);
    const db = new Driver({ url: String(cluster.urls[0]), databaseName });
    await expect(db.acquireHostList()).rejects.toMatchObject({ name: 'ArangoError', ...error });
    expect(hosts(db)).toHaveLength(1);
    db.close();
  });

  it("gets the list in another database with clusterDatabases: 'any'", async () => {
    const cluster = await start({ database: 'shop', clusterDatabases: 'any' });
    const db = new Driver({ url: String(cluster.urls[0]), databaseName: 'shop' });
    await db.acquireHostList();
    expect(hosts(db)).toHaveLength(3);
    db.close();
  });

  it('makes databases, lists, finds and drops them', async () => {
    const cluster = await start();
    const system = new Driver({ url: cluster.urls.slice(), loadBalancingStrategy: 'ROUND_ROBIN' });
    const shop = system.database('shop');
    expect(await shop.exists()).toBe(false);
    expect((await system.createDatabase('shop')).name).toBe('shop');
    expect(await system.listDatabases()).toEqual(['_system', 'shop']);
    expect(await shop.listUserDatabases()).toEqual(['_system', 'shop']);
    expect([await shop.exists(), (await shop.get()).name]).toEqual([true, 'shop']);
    await expect(system.createDatabase('shop')).rejects.toMatchObject({ code: 409, errorNum: 1207 });
    expect(await system.dropDatabase('shop')).toBe(true);
    await expect(shop.get()).rejects.toMatchObject({ code: 404, errorNum: 1228 });
    system.close();
    shop.close();
  });
});
