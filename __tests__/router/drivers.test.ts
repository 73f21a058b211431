import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import type { TestCluster, TestClusterOptions } from '../../lib/testing/index.js';
import { clusters } from '../support/testing/cluster.js';

const start = clusters();
const startTwo = (options: TestClusterOptions = {}): Promise<TestCluster> => start({ coordinators: 2, ...options });

describe.each([
  ['arangojs 10', Database as unknown as typeof Database8],
  ['arangojs 8', Database8],
])('%s', (_name, Driver) => {
  const open = ({ urls: [url = ''] }: TestCluster, databaseName = '_system'): InstanceType<typeof Database8> =>
    new Driver({ url, databaseName, loadBalancingStrategy: 'ROUND_ROBIN' });

  /** The hosts that a handle knows, without the slash that some versions write behind them. */
  const hosts = (db: InstanceType<typeof Database8>): string[] => {
    const { _connection: connection } = db as unknown as { _connection: { _hostUrls: string[] } };
    return connection._hostUrls.map((url) => url.replace(/\/$/, ''));
  };

  it('acquires the hosts, twice, and then sends requests to all of them without a failure', async () => {
    const cluster = await startTwo();
    const db = open(cluster);
    await db.acquireHostList();
    await db.acquireHostList();
    expect(hosts(db).sort()).toEqual([...cluster.urls].sort());
    for (let sent = 0; sent < 6; sent += 1) expect((await db.version()).version).toBe('3.12.0');
    const asked = cluster.requests.filter(({ url }) => url.includes('/_api/version'));
    expect(asked.map(({ coordinator }) => coordinator).sort()).toEqual([0, 0, 0, 1, 1, 1]);
    db.close();
  });

  it('drops the hosts that have gone when it acquires the list anew', async () => {
    const cluster = await startTwo();
    const db = open(cluster);
    await db.acquireHostList(true);
    expect(hosts(db)).toHaveLength(2);
    cluster.setList(cluster.endpoints.slice(1));
    await db.acquireHostList(true);
    expect(hosts(db)).toEqual(cluster.urls.slice(1));
    expect((await db.version()).version).toBe('3.12.0');
    db.close();
  });

  it('gets an ArangoError 403 / 1230 on a handle of another database', async () => {
    const db = open(await startTwo({ database: 'mydb' }), 'mydb');
    await expect(db.acquireHostList()).rejects.toMatchObject({
      name: 'ArangoError',
      code: 403,
      errorNum: 1230,
      message: expect.stringContaining('operation only allowed in system database') as string,
    });
    expect(hosts(db)).toHaveLength(1);
    db.close();
  });

  it("gets the list there with clusterDatabases: 'any'", async () => {
    const db = open(await startTwo({ database: 'mydb', clusterDatabases: 'any' }), 'mydb');
    await db.acquireHostList();
    expect(hosts(db)).toHaveLength(2);
    db.close();
  });

  it('gets an ArangoError 501 / 9 from a single server', async () => {
    const cluster = await startTwo();
    cluster.setRole('single');
    const db = open(cluster);
    await expect(db.acquireHostList()).rejects.toMatchObject({ name: 'ArangoError', code: 501, errorNum: 9 });
    db.close();
  });
});
