import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { askEtcd, base64 } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

describeWithEngines('etcd that has no space left (quota)', ['etcd'], () =>
  it('keeps members listed, and refuses new ones at once with its own words', async () => {
    await withEtcd({ flags: ['--quota-backend-bytes', String(4 * 1024 * 1024)] }, async ({ etcd, open }) => {
      const url = etcd.urls[0] ?? '';
      const { directory: own } = await open();
      const registration = await own.register(A, { ttlSeconds: 4 });
      const { directory, history } = await open({ connectTimeoutMs: 60_000 });
      const fill = async (): Promise<void> => {
        const value = 'x'.repeat(1024 * 1024);
        for (let index = 0; index < 10; index += 1) {
          await askEtcd(url, '/v3/kv/put', { key: base64(`/filler/${String(index)}`), value: base64(value) });
        }
      };
      await expect(fill()).rejects.toThrow('database space exceeded');

      const askedAt = performance.now();
      await expect(directory.register(B)).rejects.toThrow(`etcd ${url}: etcdserver: mvcc: database space exceeded`);
      expect(performance.now() - askedAt).toBeLessThan(1000 + BUSY_MACHINE_MS);
      await pause(2 * 1000 * registration.ttlSeconds);
      expect(registration.state).toBe('registered');
      expect(directory.provider()).toStrictEqual([A]);
      expect(history).toMatchObject({ states: [], changes: [] });
      // Nothing of the refused one is left behind.
      const { leases } = await askEtcd(url, '/v3/lease/leases', {});
      expect(leases).toHaveLength(1);
    });
  }),
);
