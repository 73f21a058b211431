import { put, putAll, remove } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';
import type { EtcdNode } from '../support/etcd/etcd.js';
import { processorMs } from '../support/processor-time.js';

const keysOf = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `/coordinators/tcp://c${String(index).padStart(5, '0')}.example.org:8529`,
  );

const CHANGES = 200;

/** What etcd has sent to its clients so far; the gateway, which hands on all that it gets, is the only one. */
async function sentBytes(node: EtcdNode): Promise<number> {
  const total = /^etcd_network_client_grpc_sent_bytes_total (\S+)$/m.exec(await node.metrics('/metrics'));
  return Number(total?.[1]);
}

describeWithEngines('a large cluster in a real etcd', ['etcd'], () =>
  it('of 1,000 members is open with less than 1 s of processor time, read from memory, and followed change by change', async () => {
    await withEtcd({}, async ({ etcd, open }) => {
      const [node] = etcd.nodes;
      if (!node) throw new Error('no node');
      await putAll(node.url, keysOf(1000));
      const before = processorMs();
      const { directory, history } = await open();
      expect(processorMs() - before).toBeLessThan(1000);
      const list = directory.provider();
      expect(list).toHaveLength(1000);
      expect(Object.isFrozen(list)).toBe(true);

      const calls = 100_000;
      const beforeCalls = processorMs();
      for (let call = 0; call < calls; call += 1) if (directory.provider() !== list) throw new Error('another list');
      // 1 us each, and three times that where processors are shared: copying or sorting 1,000 would take far more.
      expect(processorMs() - beforeCalls).toBeLessThan((3 * calls) / 1000);

      const sentBefore = await sentBytes(node);
      const [extra = ''] = keysOf(1001).slice(-1);
      for (let change = 0; change < CHANGES; change += 2) {
        await put(node.url, extra);
        await remove(node.url, extra);
      }
      await until('all changes are here', () => directory.status().events === CHANGES);
      expect(directory.status()).toMatchObject({ state: 'live', count: 1000, relists: 1, events: CHANGES });
      // The answers to the 200 who changed something, and the probes, are in it. The list has more than 40,000 bytes.
      expect(((await sentBytes(node)) - sentBefore) / CHANGES).toBeLessThan(1000);
      expect(history.states).toStrictEqual([]);
    });
  }),
);
