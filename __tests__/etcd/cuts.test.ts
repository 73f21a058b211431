import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { sampled } from '../support/runner/long-run.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const TEN = Array.from({ length: 10 }, (_, index) => `tcp://10.0.1.${String(index)}:8529`);

const scenario = etcdScenario();
/** Connections break here; none is slow, but on a busy machine. */
const PATIENT = { requestTimeoutMs: 30_000, connectTimeoutMs: 120_000, probeIntervalMs: 600_000 };

/** 1 to a last one; some of them in the quick run. */
function bytesTo(last: number, count: number): number[] {
  return sampled(
    Array.from({ length: last }, (_, byte) => byte + 1),
    count,
  );
}

describe('connections that break', () => {
  it('at any byte of list and watch, lose no change', async () => {
    // Both answers with their heads are shorter, so that each byte of them has its turn.
    const bytes = bytesTo(800, 24);
    const lanes = 12;
    const breakAt = async (lane: number): Promise<void> => {
      const gateway = await scenario.gateway();
      const proxy = await scenario.proxy(gateway);
      const directory = await scenario.open([proxy.url], { probeIntervalMs: 60_000 });
      const own = bytes.filter((_, index) => index % lanes === lane);
      for (const byte of own) {
        proxy.budget = byte;
        proxy.cut();
        while (proxy.budget !== Infinity) {
          const { budget } = proxy;
          if (gateway.endpoints.includes(B)) gateway.delete(B);
          else gateway.put(B, A);
          // On a busy machine the changes would come faster than they are sent.
          await until('something of it has come', () => proxy.budget !== budget);
        }
        await until(
          `the list is right after a break behind byte ${String(byte)}`,
          () => directory.status().state === 'live' && directory.provider().join() === gateway.endpoints.join(),
        );
      }
      expect(directory.status().relists).toBeGreaterThan(own.length);
      await directory.close();
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => breakAt(lane)));
  });

  it('once more while the changes made meanwhile are being sent, lose none of them', async () => {
    const lost: number[] = [];
    const runs = bytesTo(43, 6).map((step) => 40 + step * 20);
    const flap = async (cutAfter: number): Promise<void> => {
      const gateway = await scenario.gateway();
      const proxy = await scenario.proxy(gateway);
      const directory = await scenario.open([proxy.url], { probeIntervalMs: 60_000 });
      proxy.silent = true;
      proxy.cut();
      gateway.put(...TEN);
      proxy.budget = cutAfter;
      proxy.silent = false;
      proxy.cut();
      await until('it is live', () => directory.status().state === 'live' && directory.status().relists > 1);
      await until('all are listed', () => directory.provider().length === TEN.length).catch(() => lost.push(cutAfter));
      await directory.close();
    };
    for (let start = 0; start < runs.length; start += 8) await Promise.all(runs.slice(start, start + 8).map(flap));
    expect(lost).toStrictEqual([]);
  });

  it.each(['/v3/lease/grant', '/v3/kv/put', '/v3/lease/keepalive'])(
    'leave a registered endpoint there, once, wherever the answer of %s breaks',
    async (broken) => {
      const breakAt = async (byte: number): Promise<void> => {
        const gateway = await scenario.gateway();
        const proxy = await scenario.proxy(gateway);
        const directory = await scenario.open([proxy.url], PATIENT);
        gateway.override = ({ path }) => {
          if (path === broken && gateway.count(broken) === 1) proxy.budget = byte;
          return false;
        };
        const registration = await directory.register(A, { ttlSeconds: 2 });
        if (broken === '/v3/lease/keepalive') await until('it is renewed', () => gateway.count(broken) > 1);
        proxy.budget = Infinity;
        expect(gateway.endpoints).toStrictEqual([A]);
        await registration.close();
        expect(gateway.endpoints).toStrictEqual([]);
        await directory.close();
      };
      // Each answer with its head is shorter than 320 bytes.
      const bytes = bytesTo(320, 8);
      for (let start = 0; start < bytes.length; start += 80) {
        await Promise.all(bytes.slice(start, start + 80).map(breakAt));
      }
    },
  );
});
