import { CuttingProxy } from '../support/etcd/cutting-proxy.js';
import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { askEtcd, countOf, put, remove } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';
import type { EtcdNode } from '../support/etcd/etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

/** From the moment that etcd is healthy again. */
const LIVE_MS = 2000 + BUSY_MACHINE_MS;

const only = ([node]: readonly EtcdNode[]): EtcdNode => {
  if (!node) throw new Error('no node');
  return node;
};

describeWithEngines('a directory whose one etcd fails', ['etcd'], () => {
  it.concurrent(
    'is complete within 2 s after etcd was frozen for longer than the TTL, and never without its own endpoint',
    () =>
      withEtcd({}, async ({ etcd, open }) => {
        const node = only(etcd.nodes);
        const a = await open();
        const b = await open();
        await a.directory.register(A, { ttlSeconds: 3 });
        await b.directory.register(B, { ttlSeconds: 3 });
        await until('both are listed', () => a.directory.status().count === 2);
        a.history.changes.length = 0;
        node.freeze();
        await pause(8000);
        expect(a.directory.status().state).toBe('stale');
        expect(a.directory.provider()).toStrictEqual([A, B]);
        node.thaw();
        const thawedAt = performance.now();
        const isWhole = async () => (await countOf(node.url, '/coordinators/')).count === 2;
        await until(
          'both are live',
          () => [a, b].every(({ directory }) => directory.status().state === 'live'),
          LIVE_MS,
        );
        await until('both list both', () => [a, b].every(({ directory }) => directory.status().count === 2), LIVE_MS);
        await until('etcd has both', isWhole, LIVE_MS);
        expect(performance.now() - thawedAt).toBeLessThan(LIVE_MS);
        await pause(1000);
        expect(a.directory.provider()).toStrictEqual([A, B]);
        expect(a.history.states.slice(0, 2)).toStrictEqual(['stale', 'live']);
        for (const { endpoints } of a.history.changes) expect(endpoints).toContain(A);
      }),
    180_000,
  );

  it.concurrent(
    'lists what is true when etcd has lost its data, and all again within a third of the TTL: everybody registers anew',
    () =>
      withEtcd({}, async ({ etcd, open }) => {
        const node = only(etcd.nodes);
        const a = await open();
        const b = await open();
        await a.directory.register(A, { ttlSeconds: 6 });
        await b.directory.register(B, { ttlSeconds: 6 });
        await put(node.url, `/coordinators/${C}`);
        const { directory, history } = await open();
        await until('three are listed', () => directory.status().count === 3);
        await node.stop('SIGKILL');
        await node.wipe();
        await node.start();
        await until('it is live', () => directory.status().state === 'live', LIVE_MS);
        await until('A and B are listed, C is not', () => directory.provider().join() === [A, B].join(), LIVE_MS);
        expect(history.states).toStrictEqual(['stale', 'live']);
        expect(await countOf(node.url, '/coordinators/')).toMatchObject({ count: 2 });
      }),
    180_000,
  );

  it.concurrent(
    'lists what is true when etcd has compacted its history while the directory was cut off',
    () =>
      withEtcd({}, async ({ etcd, open, after }) => {
        const node = only(etcd.nodes);
        await put(node.url, `/coordinators/${A}`);
        const proxy = new CuttingProxy(Number(new URL(node.url).port));
        const { directory, history } = await open({ hosts: [await proxy.listen()] });
        after(() => proxy.close());
        proxy.silent = true;
        proxy.cut();
        await until('it is stale', () => directory.status().state === 'stale');
        await remove(node.url, `/coordinators/${A}`);
        for (const endpoint of [B, C, B, C]) await put(node.url, `/coordinators/${endpoint}`);
        const { revision } = await countOf(node.url, '/coordinators/');
        await askEtcd(node.url, '/v3/kv/compaction', { revision, physical: true });
        expect(directory.provider()).toStrictEqual([A]);
        proxy.silent = false;
        proxy.cut();
        await until('it is live', () => directory.status().state === 'live', LIVE_MS);
        expect(directory.provider()).toStrictEqual([B, C]);
        expect(history.states).toStrictEqual(['stale', 'live']);
        await put(node.url, `/coordinators/${A}`);
        await until('it follows', () => directory.status().count === 3);
      }),
    180_000,
  );

  it.concurrent(
    'finds one Coordinator replaced by another within 4 s, when its watch was silently dropped on the way',
    () =>
      withEtcd({}, async ({ etcd, open, after }) => {
        const node = only(etcd.nodes);
        for (const endpoint of [A, B]) await put(node.url, `/coordinators/${endpoint}`);
        const proxy = new CuttingProxy(Number(new URL(node.url).port));
        const url = await proxy.listen();
        after(() => proxy.close());
        const { directory, history } = await open({ hosts: [url] });
        // The watch has the only one: the first probe comes 2 s after the list.
        proxy.forgetAll();
        await remove(node.url, `/coordinators/${A}`);
        await put(node.url, `/coordinators/${C}`);
        const replacedAt = performance.now();
        await until('the list is right', () => directory.provider().join() === [B, C].join(), 8000 + BUSY_MACHINE_MS);
        expect(performance.now() - replacedAt).toBeLessThan(4500 + BUSY_MACHINE_MS);
        await until('it is live', () => directory.status().state === 'live', LIVE_MS);
        expect(history.states).toStrictEqual(['stale', 'live']);
        await put(node.url, `/coordinators/${A}`);
        await until('it follows', () => directory.status().count === 3);
      }),
    180_000,
  );
});
