import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { TestCluster, Trouble } from '../../lib/testing/index.js';
import { TROUBLE_RULES } from '../../lib/testing/trouble-rules.js';
import { tablesOf } from '../support/drivers/documented.js';
import { probeArangojs } from '../support/drivers/probe-arangojs.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { clusters } from '../support/testing/cluster.js';

const start = clusters();
const scratchFile = useScratchFolder();

/** A trouble, and what drivers that are not changed make of it when they ask for the list. */
interface Row {
  readonly trouble: Trouble;
  readonly arangojs8: string;
  readonly arangojs10: string;
  /** The request of python-arango, by curl: the status, or the exit code when there is no whole answer. */
  readonly curl: string;
}

/** The rows of the table in docs/testing.md: one coordinator of three has the trouble. */
const [, ...CELLS] = tablesOf(readFileSync('docs/testing.md', 'utf8')).find(([head]) => head?.[0] === 'trouble') ?? [];
const ROWS = CELLS.map(rowOf);

function rowOf([cell = '', arangojs8 = '', arangojs10 = '', curl = '']: readonly string[]): Row {
  const [, kind, members = ''] = /^`(.*)`(.*)$/.exec(cell) ?? [];
  const named = Array.from(members.matchAll(/(\w+) ([^ ,]+)/g), ([, name = '', value = '']): [string, unknown] => [
    name,
    /^-?\d+$/.test(value) ? Number(value) : value,
  ]);
  const trouble = { kind, ...Object.fromEntries(named), coordinator: 0 } as unknown as Trouble;
  return { trouble, arangojs8, arangojs10, curl };
}

/** How long something that waits is watched; what does not wait has much longer, for the machine may be busy. */
const WAITS_MS = 2000;
const LIMIT_MS = 60_000;
const PROBES = 5;
/** What curl ends with when it has waited for as long as it was told. */
const TIMED_OUT = 'exit 28';

/** What curl prints, or its exit code. */
function curl(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('curl', args, (error, stdout) => {
      resolve(error === null ? stdout : `exit ${String(error.code)}`);
    });
  });
}

/** A cluster for each row. */
function troubledClusters(): Promise<TestCluster[]> {
  return Promise.all(
    ROWS.map(async ({ trouble }) => {
      const cluster = await start({ ssl: trouble.kind === 'tls' });
      cluster.trouble(trouble);
      return cluster;
    }),
  );
}

function authorities(all: readonly TestCluster[]): string {
  const path = scratchFile('authorities.pem');
  writeFileSync(path, all.map(({ ca }) => ca ?? '').join(''));
  return path;
}

/** What a driver makes of each cluster. A process asks one cluster after the other and waits most of the time, so there are some. */
async function probed(driver: 'arangojs8' | 'arangojs10', all: readonly TestCluster[]): Promise<string[]> {
  const env = { NODE_EXTRA_CA_CERTS: authorities(all) };
  const each = Math.ceil(all.length / PROBES);
  const jobs = all.map(({ urls }, row) => ({
    url: String(urls[0]),
    limitMs: ROWS[row]?.[driver] === 'waits' ? WAITS_MS : LIMIT_MS,
    inTurn: false,
  }));
  const seen = await Promise.all(
    Array.from({ length: PROBES }, (_, index) =>
      probeArangojs(driver.replace(/10$/, ''), jobs.slice(index * each, (index + 1) * each), env),
    ),
  );
  return seen.flat().map(({ call, hosts, again }) => {
    if (call !== 'ok') return call;
    return `${String(hosts.length)} hosts${again === 'ok' ? '' : `, then ${again}`}`;
  });
}

/**
 * The row that a driver may see in place of one when it is not given the processor in time. A reset that it finds together with the bytes
 * before it is an end to libuv, as behind a body that was cut off; a kept connection that is closed may be in use again before that arrives.
 */
function insteadOf({ trouble }: Row): Row | undefined {
  if (trouble.kind === 'reset' && trouble.at === 'after-head') {
    return ROWS.find(({ trouble: other }) => other.kind === 'truncated-body');
  }
  if (trouble.kind !== 'keep-alive') return undefined;
  return ROWS.find(({ trouble: other }) => other.kind === 'keep-alive' && other.closed === 'while-sending');
}

describe('What drivers make of each trouble', () => {
  it.each(['arangojs8', 'arangojs10'] as const)('is in the table, for %s', async (driver) => {
    const all = await troubledClusters();
    const seen = await probed(driver, all);
    expect(ROWS.map(({ trouble }, index) => [trouble, seen[index]])).toEqual(
      ROWS.map((row, index) => {
        const isInstead = seen[index] === insteadOf(row)?.[driver];
        return [row.trouble, isInstead ? seen[index] : row[driver]];
      }),
    );
  });

  it("is in the table, for python-arango's request", async () => {
    const all = await troubledClusters();
    const ca = authorities(all);
    const seen = await Promise.all(
      all.map(async ({ urls }, index) => {
        const limit = String((ROWS[index]?.curl === TIMED_OUT ? WAITS_MS : LIMIT_MS) / 1000);
        const settings = ['-sSL', '--compressed', '--max-time', limit, '--cacert', ca, '-o', '/dev/null'];
        const request = ['-u', 'root:', '-H', 'content-type: application/json', '-H', 'charset: utf-8'];
        const url = `${String(urls[0])}/_db/_system/_api/cluster/endpoints`;
        return [ROWS[index]?.trouble, await curl(...settings, '-w', '%{http_code}', ...request, url)];
      }),
    );
    expect(seen).toEqual(ROWS.map((row) => [row.trouble, row.curl]));
  });

  it('has a row for every kind of trouble', () => {
    const kinds = [...new Set(ROWS.map(({ trouble }) => trouble.kind))];
    expect(kinds).toEqual(Object.keys(TROUBLE_RULES));
  });
});

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

  it('drops the hosts that have gone when it acquires the list anew', async () => {
    const cluster = await start({ coordinators: 2 });
    const db = new Driver({ url: String(cluster.urls[0]), loadBalancingStrategy: 'ROUND_ROBIN' });
    await db.acquireHostList(true);
    expect(hosts(db).sort()).toEqual([...cluster.urls].sort());
    cluster.setList(cluster.endpoints.slice(1));
    await db.acquireHostList(true);
    expect(hosts(db)).toEqual(cluster.urls.slice(1));
    expect((await db.version()).version).toBe('3.12.0');
    db.close();
  });

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

  it('reports a dead coordinator to the caller when its turn comes, and goes on with the others', async () => {
    const cluster = await start();
    const db = new Driver({ url: String(cluster.urls[0]), loadBalancingStrategy: 'ROUND_ROBIN' });
    await db.acquireHostList();
    await cluster.coordinators[1]?.stop();
    const versions: unknown[] = [];
    for (let sent = 0; sent < 6; sent += 1)
      versions.push(
        await db.version().then(
          ({ version }) => version,
          () => 'failed',
        ),
      );
    expect(versions.sort()).toEqual(['3.12.0', '3.12.0', '3.12.0', '3.12.0', 'failed', 'failed']);
    expect(cluster.coordinators[1]?.requests).toEqual([]);
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
