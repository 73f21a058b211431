import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { CuttingProxy } from '../support/etcd/cutting-proxy.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

const scenario = etcdScenario();

const QUICK = { probeIntervalMs: 50, requestTimeoutMs: 200, relistIntervalMs: 600_000 };

describe.each([true, 'to the target', 'from the target'] as const)(
  'connections that have gone silent (%s)',
  (silent) => {
    it('make the list stale; another host is followed, and the registration goes on there', async () => {
      const gateway = await scenario.gateway();
      gateway.put(A);
      const proxy = new CuttingProxy(gateway.port);
      const directory = await scenario.open([await proxy.listen(), gateway.url], QUICK);
      const registration = await directory.register(B, { ttlSeconds: 3 });
      const lost: string[] = [];
      registration.on('lost', ({ message }) => lost.push(message));
      proxy.silent = silent;
      gateway.put(C);
      await until('C is listed', () => directory.provider().includes(C));
      await until('it is live', () => directory.status().state === 'live');
      const renewed = gateway.count('/v3/lease/keepalive');
      await until('the lease is renewed', () => gateway.count('/v3/lease/keepalive') > renewed + 1);
      expect(lost).toStrictEqual([]);
      expect(directory.provider()).toStrictEqual([A, B, C]);
      await directory.close();
      expect(gateway.endpoints).toStrictEqual([A, C]);
      await proxy.close();
    });

    it('to the only host: the last list is served, and right again when they speak; close() does not wait', async () => {
      const gateway = await scenario.gateway();
      gateway.put(A, B);
      const proxy = new CuttingProxy(gateway.port);
      const directory = await scenario.open([await proxy.listen()], QUICK);
      await directory.register(C);
      proxy.silent = silent;
      await until('it is stale', () => directory.status().state === 'stale');
      gateway.delete(A);
      expect(directory.provider()).toStrictEqual([A, B, C]);
      proxy.silent = false;
      await until('it is live', () => directory.status().state === 'live');
      expect(directory.provider()).toStrictEqual([B, C]);
      proxy.silent = silent;
      const closedAt = performance.now();
      await directory.close();
      expect(performance.now() - closedAt).toBeLessThan(5000);
      await proxy.close();
    });

    it('from the first one on: opening fails after connectTimeoutMs, and leaves no connection', async () => {
      const gateway = await scenario.gateway();
      const proxy = new CuttingProxy(gateway.port);
      const url = await proxy.listen();
      proxy.silent = silent;
      const opening = createEtcdDirectory({ hosts: [url], connectTimeoutMs: 300, requestTimeoutMs: 600_000 });
      await expect(opening).rejects.toThrow(`etcd ${url}: no answer within 300 ms`);
      await proxy.close();
    });
  },
);
