import { etcdScenario, happeningsOf } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

const scenario = etcdScenario();

describe.each([true, 'to the target', 'from the target'] as const)(
  'connections that have gone silent (%s)',
  (silent) => {
    it('make the list stale; another host is followed, and the registration goes on there', async () => {
      const gateway = await scenario.gateway();
      gateway.put(A);
      const proxy = await scenario.proxy(gateway);
      const quick = { probeIntervalMs: 50, requestTimeoutMs: 200, relistIntervalMs: 600_000 };
      const directory = await scenario.open([proxy.url, gateway.url], quick);
      const happenings = happeningsOf(await directory.register(B, { ttlSeconds: 3 }));
      proxy.silent = silent;
      gateway.put(C);
      await until('C is listed', () => directory.provider().includes(C));
      await until('it is live', () => directory.status().state === 'live');
      const renewed = gateway.count('/v3/lease/keepalive');
      await until('the lease is renewed', () => gateway.count('/v3/lease/keepalive') > renewed + 1);
      expect(happenings.filter((happening) => happening.startsWith('lost'))).toStrictEqual([]);
      expect(directory.provider()).toStrictEqual([A, B, C]);
      await directory.close();
      expect(gateway.endpoints).toStrictEqual([A, C]);
    });

    it('to the only host: the last list is served, and right again when they speak', async () => {
      const gateway = await scenario.gateway();
      gateway.put(A, B);
      const proxy = await scenario.proxy(gateway);
      const directory = await scenario.open([proxy.url], { probeIntervalMs: 50, requestTimeoutMs: 200 });
      proxy.silent = silent;
      await until('it is stale', () => directory.status().state === 'stale');
      gateway.delete(A);
      expect(directory.provider()).toStrictEqual([A, B]);
      proxy.silent = false;
      await until('it is live', () => directory.status().state === 'live');
      expect(directory.provider()).toStrictEqual([B]);
    });
  },
);
