import type { ServerResponse } from 'node:http';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import type { FakeEtcdGateway, EtcdRequest } from '../support/etcd/fake-etcd-gateway.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

const scenario = etcdScenario();

const isProbe = ({ path, body }: EtcdRequest): boolean => path === '/v3/kv/range' && body['count_only'] === true;
const probes = (gateway: FakeEtcdGateway): number => gateway.asked.filter(isProbe).length;

describe('the probe of the watched host', () => {
  it('counts the keys, and no more while nothing changes, each probeIntervalMs', async () => {
    const { gateway, events } = await scenario.follow([A], { probeIntervalMs: 10 });
    await until('three probes', () => probes(gateway) >= 3);
    expect(gateway.asked.find(isProbe)?.body).toStrictEqual({
      key: 'L2Nvb3JkaW5hdG9ycy8=',
      range_end: 'L2Nvb3JkaW5hdG9yczA=',
      count_only: true,
    });
    expect(events).toStrictEqual([]);
  });

  it('finds a change that the watch has lost: a Coordinator added', async () => {
    const { gateway, directory, events } = await scenario.follow([A], { probeIntervalMs: 10 });
    gateway.store.forget(() => gateway.put(B));
    await until('it is listed', () => directory.provider().includes(B));
    await until('it is live', () => directory.status().state === 'live');
    expect(events).toStrictEqual(['stale', 'change', 'live']);
    expect(directory.status().lastError).toBe(`etcd ${gateway.url}: watch missed a change: 1 keys held, etcd has 2`);
  });

  it('finds one Coordinator replaced by another, which does not change their number', async () => {
    const { gateway, directory, events } = await scenario.follow([A, B], {
      probeIntervalMs: 10,
      relistIntervalMs: 600_000,
    });
    gateway.store.forget(() => {
      gateway.delete(B);
      gateway.put(C);
    });
    await until('the list is right', () => directory.provider().join() === [A, C].join());
    await until('it is live', () => directory.status().state === 'live');
    expect(events).toStrictEqual(['stale', 'change', 'live']);
    expect(directory.status().lastError).toBe(
      `etcd ${gateway.url}: watch missed a change: the newest key held is of revision 3, that of etcd of 5`,
    );
  });

  it('asks for the newest key only when the store has changed since the last time', async () => {
    const { gateway, directory } = await scenario.follow([A], { probeIntervalMs: 10 });
    const isNewest = ({ body }: EtcdRequest): boolean => body['sort_target'] === 'MOD';
    await until('five probes', () => probes(gateway) >= 5);
    expect(gateway.asked.filter(isNewest)).toStrictEqual([]);
    gateway.put(B);
    await until('B is listed', () => directory.provider().includes(B));
    const before = probes(gateway);
    await until('five more probes', () => probes(gateway) >= before + 5);
    expect(gateway.asked.filter(isNewest).map(({ body }) => body)).toStrictEqual([
      {
        key: 'L2Nvb3JkaW5hdG9ycy8=',
        range_end: 'L2Nvb3JkaW5hdG9yczA=',
        keys_only: true,
        limit: '1',
        sort_target: 'MOD',
        sort_order: 'DESCEND',
      },
    ]);
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1 });
  });

  it('raises no alarm when the last Coordinator goes, and when the first one comes', async () => {
    const { gateway, directory, events } = await scenario.follow([A], { probeIntervalMs: 10 });
    const threeMore = async (): Promise<void> => {
      const before = probes(gateway);
      await until('three more probes', () => probes(gateway) >= before + 3);
    };
    gateway.delete(A);
    await threeMore();
    gateway.put(B);
    await threeMore();
    expect(events).toStrictEqual(['change', 'change']);
    expect(directory.status().relists).toBe(1);
  });

  it('raises no alarm when it is quicker than the watch', async () => {
    const { gateway, directory, events } = await scenario.follow([A], { probeIntervalMs: 10 });
    const withheld: [ServerResponse, string][] = [];
    gateway.send = (res, text) => withheld.push([res, text]);
    const before = probes(gateway);
    gateway.override = (request) => isProbe(request) && probes(gateway) > before + 1;
    gateway.put(B);
    await until('a probe has counted B, the next one waits', () => probes(gateway) > before + 1);
    for (const [res, text] of withheld) res.write(text);
    await until('B is listed', () => directory.provider().includes(B));
    gateway.send = (res, text) => void res.write(text);
    gateway.put(C);
    await until('C is listed', () => directory.provider().includes(C));
    expect(events).toStrictEqual(['change', 'change']);
    expect(directory.status().relists).toBe(1);
  });

  it('finds that the store was set back, though the watch is still there', async () => {
    const { gateway, directory } = await scenario.follow([A, B], { probeIntervalMs: 10 });
    gateway.store.forget(() => {
      gateway.store.wipe();
      gateway.put(C);
    });
    await until('the list is that of the new store', () => directory.provider().join() === C);
    expect(directory.status().lastError).toBe(`etcd ${gateway.url}: etcd's revision went backwards from 3 to 2`);
  });
});
