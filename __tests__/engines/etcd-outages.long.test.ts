import { CuttingProxy } from '../support/etcd/cutting-proxy.js';
import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { askEtcd, countOf, put, remove } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { until } from '../support/until.js';
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
    'lists what is true when etcd has lost its data, and all again within a third of the TTL: everybody registers anew',
    async () => {
      await withEtcd({}, async ({ etcd, open }) => {
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
      });
    },
  );

  it.concurrent('lists what is true when etcd has compacted its history while the directory was cut off', async () => {
    await withEtcd({}, async ({ etcd, open, after }) => {
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
    });
  });
});
