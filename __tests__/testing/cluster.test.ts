import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import { startTestCluster } from '../../lib/testing/index.js';
import { freePort } from '../support/process/free-port.js';
import { ask, clusters, CLUSTER_ROUTE, listing } from '../support/testing/cluster.js';
import { watchConnection } from '../support/testing/wire.js';
import { until } from '../support/until.js';
import { processorMs } from '../support/processor-time.js';

const start = clusters();

describe('A cluster for tests', () => {
  it('has three coordinators on free ports of loopback, each of which lists all three', async () => {
    const { urls, endpoints, coordinators, ca } = await start();
    expect(urls).toHaveLength(3);
    expect(new Set(urls).size).toBe(3);
    expect(endpoints).toEqual(urls.map((url) => url.replace('http://', 'tcp://')));
    expect(coordinators.map(({ url, endpoint, state }) => [url, endpoint, state])).toEqual(
      urls.map((url, index) => [url, endpoints[index], 'running']),
    );
    expect(ca).toBeUndefined();
    for (const url of urls) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await ask(url)).toEqual([200, listing(endpoints)]);
    }
  });

  it('has the ports that it is given, one coordinator for each', async () => {
    const ports = [await freePort(), await freePort()];
    const { urls, coordinators } = await start({ ports });
    expect(urls).toEqual(ports.map((port) => `http://127.0.0.1:${String(port)}`));
    await coordinators[1]?.stop();
    await coordinators[1]?.start();
    expect(await ask(urls[1])).toEqual([200, listing(ports.map((port) => `tcp://127.0.0.1:${String(port)}`))]);
    await expect(startTestCluster({ ports })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('lists all of its coordinators to a client that comes while it starts', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const starting = start({ ports });
    let early: unknown;
    await until('a port is open', async () => {
      early = await ask(`http://127.0.0.1:${String(ports[0])}`).catch(() => undefined);
      return early !== undefined;
    });
    expect(early).toEqual([200, listing((await starting).endpoints)]);
  });

  it('lists at each coordinator, in the single-server listing, where that one listens', async () => {
    const { urls } = await start();
    for (const url of urls) expect(await ask(url, '/_api/endpoint')).toEqual([200, [{ endpoint: url }]]);
  });

  it('keeps connections alive for 300 s, as the reference server does', async () => {
    const { urls } = await start({ coordinators: 1 });
    const { headers } = await fetch(String(urls[0]) + CLUSTER_ROUTE);
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=300']);
  });

  it('runs beside others in one process, and shares nothing with them', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => start({ coordinators: 2 })));
    expect(new Set(all.flatMap(({ urls }) => urls)).size).toBe(40);
    const [first, second] = all;
    first?.trouble({ kind: 'status', status: 503 });
    first?.setRole('single');
    first?.setList([]);
    expect(await ask(second?.urls[0])).toEqual([200, listing(second?.endpoints ?? [])]);
    expect(first?.requests).toEqual([]);
  });

  it('starts in less than 10 ms of processor time for each coordinator, at the median of 20 starts', async () => {
    await start();
    const times: number[] = [];
    for (let run = 0; run < 20; run += 1) {
      const before = processorMs();
      const { coordinators } = await start();
      times.push((processorMs() - before) / coordinators.length);
    }
    const [median] = times.sort((left, right) => left - right).slice(10);
    expect(median).toBeLessThan(10);
  });

  it('listens on the address that it is given, IPv6 too', async () => {
    const { urls, endpoints } = await start({ host: '::1', coordinators: 1 });
    expect(urls[0]).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await ask(urls[0])).toEqual([200, listing(endpoints)]);
  });

  it('is listed with an advertised host when it listens on every address', async () => {
    const { urls, endpoints } = await start({ host: '0.0.0.0', advertisedHost: 'localhost', coordinators: 1 });
    expect(endpoints[0]).toMatch(/^tcp:\/\/localhost:\d+$/);
    expect(await ask(urls[0]?.replace('localhost', '127.0.0.1'))).toEqual([200, listing(endpoints)]);
  });

  it('does not start, and leaves nothing open, when it cannot listen', async () => {
    await expect(startTestCluster({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });
});

describe('The list of a cluster', () => {
  it('is what setList() says, in canonical form and in its order', async () => {
    const cluster = await start();
    cluster.setList(['SSL://B.example:8530', 'tcp://a.example']);
    const expected = [200, listing(['ssl://b.example:8530', 'tcp://a.example:8529'])];
    for (const url of cluster.urls) expect(await ask(url)).toEqual(expected);
  });

  it('cannot hold what no coordinator is', async () => {
    const cluster = await start();
    expect(() => cluster.setList(['tcp://:8529', 'unix:///tmp/s', 'tcp://0.0.0.0:8529', 'tcp://a:1'])).toThrow(
      /^setList: list:\n.*"tcp:\/\/:8529".*\n.*"unix:\/\/\/tmp\/s".*\n.*"tcp:\/\/0\.0\.0\.0:8529"/,
    );
    expect(() => cluster.setList('tcp://a:1' as unknown as string[])).toThrow(
      new TypeError('setList: list must be an array, got "tcp://a:1"'),
    );
    expect(await ask(cluster.urls[0])).toEqual([200, listing(cluster.endpoints)]);
  });

  it('keeps coordinators that have been stopped', async () => {
    const cluster = await start();
    await cluster.coordinators[1]?.stop();
    expect(await ask(cluster.urls[0])).toEqual([200, listing(cluster.endpoints)]);
  });
});

describe('The role of a cluster', () => {
  it.each([
    ['single', 501, 'SINGLE'],
    ['dbserver', 501, 'PRIMARY'],
    ['agent', 501, 'AGENT'],
    ['coordinator', 200, 'COORDINATOR'],
  ] as const)('can be %s: the cluster route answers %i, and the role is %s', async (role, status, name) => {
    const cluster = await start({ coordinators: 1 });
    cluster.setRole(role);
    expect((await ask(cluster.urls[0]))[0]).toBe(status);
    expect(await ask(cluster.urls[0], '/_admin/server/role')).toEqual([200, { error: false, code: 200, role: name }]);
  });

  it('is one of these four', async () => {
    const cluster = await start({ coordinators: 1 });
    expect(() => cluster.setRole('leader' as 'single')).toThrow(
      new TypeError(`setRole: role must be 'single', 'coordinator', 'dbserver' or 'agent', got "leader"`),
    );
  });

  it('can be refused as the 3.4 server does, with notCoordinatorStatus: 403', async () => {
    const cluster = await start({ coordinators: 1, notCoordinatorStatus: 403 });
    cluster.setRole('single');
    expect(await ask(cluster.urls[0])).toMatchObject([403, { errorNum: 11 }]);
  });
});

describe('A coordinator', () => {
  it('cuts its connections when it is stopped', async () => {
    const { coordinators, trouble } = await start();
    trouble({ kind: 'silence' });
    const watched = watchConnection(String(coordinators[0]?.url), CLUSTER_ROUTE);
    while (coordinators[0]?.requests.length === 0) await new Promise(setImmediate);
    await coordinators[0]?.stop();
    expect(await watched).toEqual({ bytes: '', end: 'closed' });
  });

  it.each([
    ['keeps', 'linux', 'EADDRNOTAVAIL'],
    ['gives up', 'darwin', 'free'],
  ] as const)('%s its port while it is stopped, on %s', async (_does, platform, found) => {
    jest.spyOn(os, 'platform').mockReturnValueOnce(platform).mockReturnValueOnce(platform);
    const port = await freePort();
    const { coordinators, close, urls } = await start({ ports: [port] });
    const bound = async (): Promise<unknown> => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.1', localPort: port });
      const came = once(socket, 'connect').then(
        () => 'free',
        (error: unknown) => (error as { code: string }).code,
      );
      return await came.finally(() => socket.resetAndDestroy());
    };
    await coordinators[0]?.stop();
    expect(await bound()).toBe(found);
    await expect(ask(urls[0])).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await coordinators[0]?.start();
    expect((await ask(urls[0]))[0]).toBe(200);
    await coordinators[0]?.stop();
    await close();
    expect(await bound()).toBe('free');
  });

  it('says so when another process has its port by the time it is started', async () => {
    const { coordinators } = await start();
    await coordinators[0]?.stop();
    const other = createServer().listen(Number(new URL(String(coordinators[0]?.url)).port), '127.0.0.1');
    await once(other, 'listening');
    await expect(coordinators[0]?.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(coordinators[0]?.state).toBe('stopped');
    other.close();
    await once(other, 'close');
    await coordinators[0]?.start();
    expect((await ask(coordinators[0]?.url))[0]).toBe(200);
  });

  it('accepts connections and answers none while it is frozen, and answers all once it is started', async () => {
    const { coordinators, endpoints, urls } = await start();
    // One connection from before the freeze, and one that begins in it.
    await ask(urls[0]);
    await coordinators[0]?.freeze();
    expect(coordinators[0]?.state).toBe('frozen');
    expect(await watchConnection(String(urls[0]), CLUSTER_ROUTE, { isSilent: true })).toEqual({
      bytes: '',
      end: 'open',
    });
    const waiting = [ask(urls[0]), ask(urls[0])];
    expect(await Promise.race([...waiting, new Promise((resolve) => setTimeout(resolve, 50, 'nothing'))])).toBe(
      'nothing',
    );
    await coordinators[0]?.start();
    for (const answer of waiting) expect(await answer).toEqual([200, listing(endpoints)]);
  });
});

it('The requests that a cluster has received are listed in their order, with what each has met, for the cluster and for each coordinator', async () => {
  const cluster = await start({ coordinators: 2, database: 'shop' });
  const before = Date.now();
  cluster.trouble({ kind: 'status', status: 503, times: 1 });
  await ask(cluster.urls[1]);
  await ask(cluster.urls[0], '/_db/shop/_api/version?details=true', { headers: { 'X-Test': 'yes' } });
  expect(cluster.requests).toMatchObject([
    { coordinator: 1, method: 'GET', url: CLUSTER_ROUTE, trouble: 'status' },
    { coordinator: 0, method: 'GET', url: '/_db/shop/_api/version?details=true', trouble: null },
  ]);
  const [first] = cluster.coordinators[0]?.requests ?? [];
  expect(cluster.coordinators[0]?.requests).toHaveLength(1);
  expect(first?.headers['x-test']).toBe('yes');
  expect(first?.receivedAt).toBeGreaterThanOrEqual(before);
});

it('reset() ends troubles, starts coordinators, restores list and role, and forgets the requests', async () => {
  const cluster = await start();
  cluster.trouble({ kind: 'status', status: 503 });
  cluster.setList(['tcp://a:1']);
  cluster.setRole('single');
  await ask(cluster.urls[0]);
  await cluster.coordinators[1]?.stop();
  await cluster.coordinators[2]?.freeze();
  await cluster.reset();
  expect(cluster.requests).toEqual([]);
  for (const url of cluster.urls) expect(await ask(url)).toEqual([200, listing(cluster.endpoints)]);
});

describe('close()', () => {
  it('cuts every connection, frees the ports, and can be called again', async () => {
    const cluster = await start({ ports: [await freePort()] });
    cluster.trouble({ kind: 'delay', milliseconds: 3_600_000 });
    const watched = watchConnection(String(cluster.urls[0]), CLUSTER_ROUTE);
    while (cluster.requests.length === 0) await new Promise(setImmediate);
    const closed = cluster.close();
    expect(cluster.close()).toBe(closed);
    await closed;
    expect(await watched).toEqual({ bytes: '', end: 'closed' });
    await expect(ask(cluster.urls[0])).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('is for good', async () => {
    const { close, reset, coordinators, trouble, setList, setRole } = await start();
    await close();
    const [first] = coordinators;
    const setters = [
      trouble.bind(undefined, { kind: 'silence' }),
      setList.bind(undefined, []),
      setRole.bind(undefined, 'single'),
    ];
    for (const act of [...setters, reset, first?.start, first?.freeze]) {
      await expect(Promise.resolve().then(act)).rejects.toThrow(new Error('the cluster is closed'));
    }
    await expect(first?.stop()).resolves.toBeUndefined();
  });

  it('comes by itself at the end of a block, with await using', async () => {
    const cluster = await start({ ports: [await freePort()] });
    await cluster[Symbol.asyncDispose]();
    await expect(ask(cluster.urls[0])).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
