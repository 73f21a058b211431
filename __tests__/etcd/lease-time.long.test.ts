import { CuttingProxy } from '../support/etcd/cutting-proxy.js';
import { reply } from '../support/etcd/fake-etcd-gateway.js';
import { bodies, etcdScenario, happeningsOf } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';

const scenario = etcdScenario();

describe('a registered endpoint, while the time of its lease passes', () => {
  it('has its lease renewed each third of its time', async () => {
    const gateway = await scenario.gateway();
    const directory = await scenario.open([gateway.url]);
    const started = performance.now();
    const registration = await directory.register(A, { ttlSeconds: 2 });
    await until('three renewals', () => gateway.count('/v3/lease/keepalive') === 3);
    expect(performance.now() - started).toBeGreaterThanOrEqual(1990);
    expect(bodies(gateway, '/v3/lease/keepalive')[0]).toStrictEqual({ ID: '7587861000000000001' });
    expect(registration.state).toBe('registered');
  });

  it('is put back at once when its lease has run out, though no watch reported it', async () => {
    const gateway = await scenario.gateway();
    const directory = await scenario.open([gateway.url]);
    const registration = await directory.register(A, { ttlSeconds: 2 });
    const happenings = happeningsOf(registration);
    gateway.store.forget(() => {
      gateway.store.endLease('7587861000000000001');
    });
    await until('it is back', () => happenings.length === 2);
    expect(happenings).toStrictEqual(['lost: etcd no longer has the lease', 'restored']);
    expect(gateway.endpoints).toStrictEqual([A]);
  });

  it('is lost after its time without one renewal, is renewed further, and restored', async () => {
    const gateway = await scenario.gateway();
    const directory = await scenario.open([gateway.url]);
    const registration = await directory.register(A, { ttlSeconds: 2 });
    const happenings = happeningsOf(registration);
    let isUnreachable = true;
    gateway.override = ({ path, res }) => {
      if (path !== '/v3/lease/keepalive' || !isUnreachable) return false;
      reply(res, 503, '{"error":"x","message":"etcdserver: request timed out","code":14}');
      return true;
    };
    await until('it is lost', () => registration.state === 'lost');
    const tried = happenings.length;
    await until('it is tried further', () => happenings.length > tried + 1);
    isUnreachable = false;
    await until('it is restored', () => registration.state === 'registered');
    const retries = `retry: etcd ${gateway.url}: etcdserver: request timed out`;
    expect(happenings.filter((happening) => happening !== retries)).toStrictEqual([
      'lost: lease not renewed for 2 s',
      'restored',
    ]);
    expect(happenings).toContain(retries);
    expect(directory.provider()).toStrictEqual([A]);
    expect(bodies(gateway, '/v3/lease/grant')).toHaveLength(1);
  });

  it('is lost once, however many signs of it there are', async () => {
    const gateway = await scenario.gateway();
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 600_000 });
    const registration = await directory.register(A, { ttlSeconds: 2 });
    const happenings = happeningsOf(registration);
    await until('its key is seen', () => directory.status().events === 1);
    gateway.override = () => true;
    const deletedAt = performance.now();
    gateway.delete(A);
    await until('its time is over', () => performance.now() > deletedAt + 2200);
    expect(happenings.filter((happening) => !happening.startsWith('retry'))).toStrictEqual([
      'lost: etcd deleted the key',
    ]);
  });

  it('is renewed at another host when the first one is silent', async () => {
    const gateway = await scenario.gateway();
    const second = await scenario.gateway();
    const proxy = new CuttingProxy(gateway.port);
    const directory = await scenario.open([await proxy.listen(), gateway.url, second.url], {
      requestTimeoutMs: 1000,
      probeIntervalMs: 600_000,
    });
    const registration = await directory.register(A, { ttlSeconds: 6 });
    const happenings = happeningsOf(registration);
    proxy.silent = true;
    await until('it is renewed', () => gateway.count('/v3/lease/keepalive') > 1);
    expect(happenings).toStrictEqual([]);
    expect(second.count('/v3/lease/keepalive')).toBe(0);
    await proxy.close();
  });
});
