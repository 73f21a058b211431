import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

const DAY_MS = 86_400_000;

describe('a clock that is set while a directory is open', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['a day forward', DAY_MS],
    ['a day back', -DAY_MS],
    ['to 1970', -Date.now()],
  ])('%s changes nothing: neither list, age and state, nor the registration', async (_what, shiftMs) => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    const directory = await scenario.open([gateway.url], { probeIntervalMs: 20, maxStaleMs: 60_000 });
    const events = eventsOf(directory);
    const registration = await directory.register(B, { ttlSeconds: 2 });
    const happenings: string[] = [];
    for (const event of ['lost', 'restored', 'retry'] as const) registration.on(event, () => happenings.push(event));
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
    await until('the lease is renewed', () => gateway.count('/v3/lease/keepalive') > 0);
    await pause(50);
    expect(directory.status()).toMatchObject({ state: 'live', count: 2 });
    expect(directory.status().ageMs).toBeLessThan(10_000);
    gateway.override = () => true;
    gateway.cut();
    await until('it is stale', () => directory.status().state === 'stale');
    expect(directory.provider()).toStrictEqual([A, B]);
    expect(events.filter((event) => event === 'expired')).toStrictEqual([]);
    expect(happenings.filter((event) => event !== 'retry')).toStrictEqual([]);
  });
});
