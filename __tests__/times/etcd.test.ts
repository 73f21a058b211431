import type { EtcdDirectoryOptions, LeasedDirectory } from '../../lib/etcd/index.js';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { FakeEtcdGateway } from '../support/etcd/fake-etcd-gateway.js';
import { turnedClock } from '../support/turned-clock.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const DAY_MS = 86_400_000;
/** Without requests that are under way while the clock is turned. */
const UNPROBED = { probeIntervalMs: DAY_MS };
const clock = turnedClock();
let gateway: FakeEtcdGateway;
let directory: LeasedDirectory;

beforeEach(async () => {
  gateway = new FakeEtcdGateway();
  gateway.put(B);
  await gateway.listen();
});

afterEach(async () => {
  await directory.close();
  await gateway.kill();
});

/** Opens the directory; it has asked for all its first delays then. */
async function open(options: Partial<EtcdDirectoryOptions> = {}): Promise<void> {
  directory = await createEtcdDirectory({ hosts: [gateway.url], ...options });
  await clock.turn(0);
}

/** Lets time pass until a request has come, and its answer is in. */
async function turnUntilAsked(ms: number, path: string): Promise<void> {
  const before = gateway.count(path);
  await clock.turn(ms - 1);
  expect(gateway.count(path)).toBe(before);
  await clock.turn(1);
  await until(path, () => gateway.count(path) > before);
}

describe('A directory in etcd', () => {
  it('has 5 s to open and 2 s for each answer, is probed each 2 s, and read again after 5 minutes', async () => {
    gateway.auth = { name: 'lister', password: 'x', tokens: new Set() };
    await open({ auth: { username: 'lister', password: 'x' } });
    expect(clock.delays()).toEqual([2000, 5000, 300_000]);
    const before = gateway.count('/v3/kv/range');
    await turnUntilAsked(2000, '/v3/kv/range');
    await turnUntilAsked(2000, '/v3/kv/range');
    expect(gateway.count('/v3/kv/range')).toBe(before + 2);
    expect(clock.delays()).toEqual([2000]);
  });

  it('reads the complete list again after 5 minutes', async () => {
    await open(UNPROBED);
    await clock.turn(299_999);
    expect(directory.status().relists).toBe(1);
    await clock.turn(1);
    await until('the list is read again', () => directory.status().relists === 2);
  });

  it('serves the last list for 15 minutes', async () => {
    await open({ ...UNPROBED, retry: { minMs: DAY_MS, maxMs: DAY_MS } });
    await gateway.kill();
    await until('it is stale', () => directory.status().state === 'stale');
    expect(clock.delays()).toContain(900_001);
    await clock.turn(899_999);
    expect(directory.provider()).toEqual([B]);
    await clock.turn(1);
    expect(directory.status().state).toBe('expired');
  });

  it('tries again after 100 ms, 200 ms and so on up to 2 s, less by a tenth to 55 %', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    await open(UNPROBED);
    clock.delays();
    await gateway.kill();
    const waits: number[] = [];
    for (const chance of [1, 0, 1, 0, 1, 1, 1]) {
      await until('it waits', () => {
        const asked = clock.delays().filter((ms) => ms < 2000);
        waits.push(...asked);
        return asked.length > 0;
      });
      random.mockReturnValue(chance);
      await clock.turn(Number(waits.at(-1)));
    }
    expect(waits).toEqual([45, 180, 180, 720, 720, 1800, 1800]);
  });
});

describe('A registration', () => {
  it('has 5 s to be there, renews its lease of 15 s each 5 s, and is lost after 15 s without', async () => {
    await open(UNPROBED);
    clock.delays();
    const registration = await directory.register(A);
    await clock.turn(0);
    expect(clock.delays()).toEqual([2000, 5000, 15_000]);
    const lost = jest.fn();
    registration.on('lost', lost);
    await turnUntilAsked(5000, '/v3/lease/keepalive');
    await until('it is renewed', () => clock.delays().includes(15_000));
    gateway.override = () => true;
    await clock.turn(14_999);
    expect(registration.state).toBe('registered');
    await clock.turn(1);
    expect([registration.state, lost.mock.calls]).toEqual(['lost', [[new Error('lease not renewed for 15 s')]]]);
    gateway.override = () => false;
    await clock.turn(2000);
    await until('it is renewed further, and restored', () => registration.state === 'registered');
    expect(gateway.count('/v3/lease/grant')).toBe(1);
  });

  it('is lost once, however many signs of it there are', async () => {
    await open(UNPROBED);
    const registration = await directory.register(A);
    const lost = jest.fn();
    registration.on('lost', lost);
    await until('its key is seen', () => directory.status().events === 1);
    gateway.override = () => true;
    gateway.delete(A);
    await until('it is lost', () => lost.mock.calls.length > 0);
    await clock.turn(16_000);
    expect(lost.mock.calls).toEqual([[new Error('etcd deleted the key')]]);
    gateway.override = () => false;
  });

  it.each([
    [60, 20_000, 1000],
    [2, 2000 / 3, 200],
  ])('with a lease of %i s renews it after %d ms, and tries again after %i', async (ttlSeconds, renewMs, retryMs) => {
    await open(UNPROBED);
    clock.delays();
    const registration = await directory.register(A, { ttlSeconds });
    const retried = jest.fn();
    registration.on('retry', retried);
    await clock.turn(0);
    expect(clock.delays()).toContain(renewMs);
    await gateway.kill();
    await clock.turn(renewMs);
    await until('it is tried again', () => retried.mock.calls.length > 0);
    await clock.turn(0);
    expect(clock.delays()).toContain(retryMs);
  });
});

describe('A list that shrinks after a change of leader', () => {
  const second = new FakeEtcdGateway();
  afterEach(() => second.kill());

  const C = 'tcp://10.0.0.3:8529';
  /** What a frozen leader does when it thaws is seen: a change of leader, and keys that are deleted. */
  const elect = async (...deleted: string[]): Promise<void> => {
    gateway.answers.term += 1;
    gateway.delete(...deleted);
    await until('it is seen', () => directory.status().events === deleted.length);
  };

  it('keeps members that come back within a second: they were never gone', async () => {
    gateway.put(A, C);
    await open(UNPROBED);
    const changed = jest.fn();
    directory.on('change', changed);
    await elect(A, B);
    await clock.turn(1000);
    gateway.put(A, B);
    await until('they are back', () => directory.status().events === 4);
    await clock.turn(2000);
    expect([directory.provider(), changed.mock.calls]).toEqual([[A, B, C], []]);
  });

  it('drops each that has not come back a second after it was deleted', async () => {
    gateway.put(A, C);
    await open(UNPROBED);
    const changed: string[][] = [];
    directory.on('change', (endpoints) => changed.push([...endpoints]));
    await elect(A);
    await clock.turn(300);
    gateway.delete(B);
    await until('it is seen', () => directory.status().events === 2);
    await clock.turn(700);
    expect(changed).toEqual([]);
    await clock.turn(1);
    expect(changed).toEqual([[B, C]]);
    await clock.turn(300);
    expect(changed).toEqual([[B, C], [C]]);
    expect(directory.status()).toMatchObject({ state: 'live', events: 2, relists: 1 });
  });

  it('waits also where the first list of another host is the short one', async () => {
    second.answers.term += 1;
    await open({ ...UNPROBED, hosts: [gateway.url, await second.listen()] });
    await gateway.kill();
    await until('it is stale', () => directory.status().state === 'stale');
    await clock.turn(0);
    await until('it follows the second', () => directory.status().relists === 2);
    await clock.turn(1000);
    expect(directory.provider()).toEqual([B]);
    await clock.turn(1);
    expect(directory.provider()).toEqual([]);
  });

  it('waits a minute long: who deregisters then is gone at once', async () => {
    gateway.put(A, C);
    await open(UNPROBED);
    await elect(A);
    await clock.turn(59_999);
    gateway.delete(B);
    await until('it is seen', () => directory.status().events === 2);
    await clock.turn(1000);
    expect(directory.provider()).toEqual([B, C]);
    await clock.turn(1);
    gateway.delete(C);
    await until('it is gone', () => directory.provider().length === 0);
  });
});
