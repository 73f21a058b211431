import { once } from 'node:events';
import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

describe('an outage of etcd', () => {
  it('makes the list stale at once; it is served as it was, and live again when etcd is back', async () => {
    const { gateway, directory, events } = await scenario.follow([A]);
    const { port } = gateway;
    const before = directory.provider();
    const stale = once(directory, 'stale') as Promise<[Error]>;
    await gateway.kill();
    const [reason] = await stale;
    expect(reason.message).toMatch(/^etcd http:\/\/127\.0\.0\.1:\d+: /);
    expect(directory.status().state).toBe('stale');
    expect(directory.provider()).toBe(before);
    gateway.put(B);
    await gateway.listen('127.0.0.1', port);
    await until('it is live', () => directory.status().state === 'live');
    expect(directory.provider()).toStrictEqual([A, B]);
    expect(events).toStrictEqual(['stale', 'change', 'live']);
  });

  it('that only the probe can see, a way that has gone silent, is seen', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    const proxy = await scenario.proxy(gateway);
    const directory = await scenario.open([proxy.url, gateway.url], {
      probeIntervalMs: 20,
      requestTimeoutMs: 300,
    });
    proxy.silent = true;
    await until('it was stale', () => directory.status().lastError !== undefined);
    await until('it is live', () => directory.status().state === 'live');
    expect(directory.status().lastError).toMatch(/: no answer within 300 ms$/);
  });

  it('is no outage when a kept connection was closed by the other side between two requests', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    const asked = new Set<unknown>();
    gateway.override = ({ path, req }) => {
      if (path !== '/v3/kv/range') return false;
      const again = asked.has(req.socket);
      asked.add(req.socket);
      if (again) req.socket.destroy();
      return again;
    };
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 10 });
    const events = eventsOf(directory);
    await until('ten requests', () => gateway.count('/v3/kv/range') > 10);
    expect(asked.size).toBeGreaterThan(3);
    expect(events).toStrictEqual([]);
  });
});
