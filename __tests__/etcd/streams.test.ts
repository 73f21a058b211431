import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

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
