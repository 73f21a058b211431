import type { EndpointProvider } from '../../lib/index.js';
import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'ssl://[::1]:8530';

const scenario = etcdScenario();

describe.each(['v1', 'v2'] as const)('the list that etcd keeps (grpc-gateway %s)', (shape) => {
  it('has what was there before, sorted, as one frozen array', async () => {
    const { directory } = await scenario.follow([B, A, C], {}, shape);
    expect(directory.provider()).toStrictEqual([C, A, B]);
    expect(Object.isFrozen(directory.provider())).toBe(true);
    expect(directory.status()).toMatchObject({ state: 'live', count: 3, skipped: 0, relists: 1, events: 0 });
  });

  it('follows each change, and is the same array in between', async () => {
    const { gateway, directory } = await scenario.follow([A], {}, shape);
    const changes: (readonly string[])[] = [];
    directory.on('change', (endpoints) => changes.push(endpoints));
    const first = directory.provider();
    gateway.put(B);
    await until('B is listed', () => directory.provider().includes(B));
    expect(first).toStrictEqual([A]);
    gateway.delete(A);
    await until('A is gone', () => !directory.provider().includes(A));
    expect(changes).toStrictEqual([[A, B], [B]]);
    expect(directory.provider()).toBe(changes[1]);
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1, events: 2 });
  });

  it('takes many changes in one message, and many messages in one piece', async () => {
    const { gateway, directory } = await scenario.follow([], {}, shape);
    let held = '';
    gateway.send = (res, text) => {
      held += text;
      if (gateway.endpoints.length === 0) res.write(held);
    };
    gateway.put(A, B);
    gateway.put(C);
    gateway.delete(A, C, B);
    await until('all changes are here', () => directory.status().events === 6);
    expect(directory.provider()).toStrictEqual([]);
  });
});

describe('what is asked of etcd', () => {
  it('is the list of the keys under the prefix, a watch from the revision behind it, and the leader', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A, B);
    await scenario.open([gateway.url]);
    expect(gateway.asked.map(({ path, body }) => [path, body])).toStrictEqual([
      ['/v3/kv/range', { key: 'L2Nvb3JkaW5hdG9ycy8=', range_end: 'L2Nvb3JkaW5hdG9yczA=', keys_only: true }],
      [
        '/v3/watch',
        {
          create_request: { key: 'L2Nvb3JkaW5hdG9ycy8=', range_end: 'L2Nvb3JkaW5hdG9yczA=', start_revision: '4' },
        },
      ],
    ]);
    expect(gateway.asked.map(({ req }) => req.headers['grpc-metadata-hasleader'])).toStrictEqual(['true', 'true']);
    expect(gateway.asked.map(({ req }) => req.headers.authorization)).toStrictEqual([undefined, undefined]);
  });

  it('has the prefix that the host application chose, whatever its last letter', async () => {
    const gateway = await scenario.gateway();
    await scenario.open([gateway.url], { prefix: '/prod/arangodb/\u{10ffff}' });
    const { key, range_end } = gateway.asked[0]?.body as { key: string; range_end: string };
    expect(Buffer.from(key, 'base64').toString()).toBe('/prod/arangodb/\u{10ffff}');
    expect([...Buffer.from(range_end, 'base64')].slice(-4)).toStrictEqual([0xf4, 0x8f, 0xbf, 0xc0]);
  });

  it('is nothing at all when the provider is asked', async () => {
    const { gateway, directory } = await scenario.follow([A], { probeIntervalMs: 60_000 });
    const before = gateway.asked.length;
    const provider: EndpointProvider = directory.provider;
    expect(Array.from({ length: 1000 }, provider as () => unknown)).toStrictEqual(Array(1000).fill([A]));
    await pause(20);
    expect(gateway.asked).toHaveLength(before);
  });

  it('is the complete list again each relistIntervalMs, during which the list stays live', async () => {
    const { gateway, directory, events } = await scenario.follow([A], { relistIntervalMs: 20 });
    await until('five lists were read', () => directory.status().relists >= 5);
    expect(directory.status().state).toBe('live');
    expect(events).toStrictEqual([]);
    expect(gateway.watches).toBe(1);
  });
});

describe('keys of others under the prefix', () => {
  it('are skipped, counted, and reported once', async () => {
    const { gateway, directory } = await scenario.follow([A, 'leader', 'tcp://0.0.0.0:8529']);
    const told: string[] = [];
    directory.on('skipped', (refusals) => told.push(...refusals.map(({ message }) => message.split(': ')[0] ?? '')));
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status()).toMatchObject({ count: 1, skipped: 2 });
    expect(directory.status().lastError).toMatch(
      /^"tcp:\/\/0\.0\.0\.0:8529" is not an endpoint: clients cannot connect/,
    );

    gateway.put('unix:///tmp/arangodb.sock');
    await until('the third is counted', () => directory.status().skipped === 3);
    gateway.put(B);
    await until('B is listed', () => directory.provider().includes(B));
    expect(told).toStrictEqual(['"unix:///tmp/arangodb.sock" is not an endpoint']);
  });

  it('do not count as lost changes, even where two of them read the same', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    for (const bytes of ['80', '81']) {
      gateway.store.put(Buffer.concat([Buffer.from('/coordinators/'), Buffer.from(bytes, 'hex')]).toString('base64'));
    }
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 5 });
    const events = eventsOf(directory);
    await until('ten probes were answered', () => gateway.count('/v3/kv/range') > 10);
    expect(events).toStrictEqual([]);
    expect(directory.provider()).toStrictEqual([A]);
  });

  it('may write one endpoint in two ways: it is listed once, until both are gone', async () => {
    const { gateway, directory } = await scenario.follow([A, 'HTTP://10.0.0.1']);
    expect(directory.provider()).toStrictEqual([A]);
    gateway.delete(A);
    await until('the first is gone', () => directory.status().events === 1);
    expect(directory.provider()).toStrictEqual([A]);
    gateway.delete('HTTP://10.0.0.1');
    await until('the second is gone', () => directory.provider().length === 0);
  });
});
