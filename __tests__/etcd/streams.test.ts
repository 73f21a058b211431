import { CuttingProxy } from '../support/etcd/cutting-proxy.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';
const TEN = Array.from({ length: 10 }, (_, index) => `tcp://10.0.1.${String(index)}:8529`);

const scenario = etcdScenario();

describe('a watch whose bytes arrive in pieces', () => {
  it.each(['v1', 'v2'] as const)('loses nothing when it is split at any byte (grpc-gateway %s)', async (shape) => {
    const gateway = await scenario.gateway(shape);
    let split = 0;
    gateway.send = (res, text) => {
      const bytes = Buffer.from(text);
      res.write(bytes.subarray(0, split));
      res.write(bytes.subarray(split));
    };
    gateway.put(A);
    const longest = 400;
    const directory = await scenario.open([gateway.url]);
    for (split = 1; split < longest; split += 1) {
      gateway.put(B);
      gateway.delete(B);
    }
    await until('every change is here', () => directory.status().events === 2 * (longest - 1));
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1 });
  });

  it('loses nothing when each byte comes alone, those inside a letter too', async () => {
    const gateway = await scenario.gateway();
    gateway.send = (res, text) => {
      for (const byte of Buffer.from(text.replace('"header":{', '"header":{"note":"\u00e9\u20ac\u{1f600}",'))) {
        res.write(Buffer.of(byte));
      }
    };
    const directory = await scenario.open([gateway.url]);
    gateway.put(A, B, C);
    gateway.delete(B);
    await until('every change is here', () => directory.status().events === 4);
    expect(directory.provider()).toStrictEqual([A, C]);
    expect(directory.status().relists).toBe(1);
  });

  it('may have empty lines and carriage returns between its messages', async () => {
    const gateway = await scenario.gateway();
    gateway.send = (res, text) => void res.write(`\r\n\n${text.trim()}\r\n`);
    const directory = await scenario.open([gateway.url]);
    gateway.put(A);
    await until('A is listed', () => directory.provider().includes(A));
    expect(directory.status().relists).toBe(1);
  });
});

describe('connections that break', () => {
  it('at any byte of list and watch, lose no change', async () => {
    // Both answers with their heads are shorter, so that each byte of them has its turn.
    const lastByte = 800;
    const lanes = 12;
    const breakAt = async (firstByte: number): Promise<void> => {
      const gateway = await scenario.gateway();
      const proxy = new CuttingProxy(gateway.port);
      const directory = await scenario.open([await proxy.listen()], { probeIntervalMs: 60_000 });
      for (let byte = firstByte; byte <= lastByte; byte += lanes) {
        proxy.budget = byte;
        proxy.cut();
        while (proxy.budget !== Infinity) {
          if (gateway.endpoints.includes(B)) gateway.delete(B);
          else gateway.put(B, A);
          await pause(1);
        }
        await until(
          `the list is right after a break behind byte ${String(byte)}`,
          () => directory.status().state === 'live' && directory.provider().join() === gateway.endpoints.join(),
        );
      }
      expect(directory.status().relists).toBeGreaterThan(lastByte / lanes);
      await directory.close();
      await proxy.close();
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => breakAt(lane + 1)));
  }, 120_000);

  it('once more while the changes of the time away are being told, lose none of them', async () => {
    const lost: number[] = [];
    const runs = Array.from({ length: 43 }, (_, index) => 60 + index * 20);
    const flap = async (cutAfter: number): Promise<void> => {
      const gateway = await scenario.gateway();
      const proxy = new CuttingProxy(gateway.port);
      const directory = await scenario.open([await proxy.listen()], { probeIntervalMs: 60_000 });
      proxy.silent = true;
      proxy.cut();
      gateway.put(...TEN);
      proxy.budget = cutAfter;
      proxy.silent = false;
      proxy.cut();
      await until('it is live', () => directory.status().state === 'live' && directory.status().relists > 1);
      await until('all are listed', () => directory.provider().length === TEN.length).catch(() => lost.push(cutAfter));
      await directory.close();
      await proxy.close();
    };
    for (let start = 0; start < runs.length; start += 8) await Promise.all(runs.slice(start, start + 8).map(flap));
    expect(lost).toStrictEqual([]);
  }, 60_000);
});
