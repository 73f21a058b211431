import { EventEmitter, once } from 'node:events';
import type { DirectoryEvents } from '../../lib/directory/directory.js';
import { HeldList } from '../../lib/directory/held-list.js';
import { thrownBy } from '../support/thrown.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'ssl://[::1]:8530';

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

function newList(maxStaleMs = 1000) {
  const emitter = new EventEmitter<DirectoryEvents>();
  const events: unknown[] = [];
  emitter.on('live', () => events.push('live'));
  emitter.on('stale', (reason) => events.push(`stale: ${reason.message}`));
  emitter.on('still-stale', (reason) => events.push(`still stale: ${reason.message}`));
  emitter.on('change', (endpoints) => events.push(endpoints));
  emitter.on('expired', () => events.push('expired'));
  emitter.on('skipped', (refusals) => events.push(refusals.map(({ message }) => `skipped: ${message.slice(0, 34)}`)));
  const list = new HeldList(emitter, maxStaleMs);
  list.confirm(performance.now());
  const settled = async () => {
    await nextTick();
    return events.splice(0);
  };
  return { emitter, list, settled };
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});

afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('the list in memory', () => {
  it('is the same array until a change', () => {
    const { list } = newList();
    list.relist([A, B]);
    const before = list.provider();
    list.relist([B, 'http://10.0.0.1:8529']);
    expect(list.provider()).toBe(before);
    expect(Object.isFrozen(before)).toBe(true);
    list.update([B], 1);
    expect(list.provider()).toStrictEqual([B]);
  });

  it('emits each change once, with the new list', async () => {
    const { emitter, list, settled } = newList();
    const entries = jest.fn();
    emitter.on('entries', entries);
    list.relist([A]);
    list.relist([A]);
    list.relist([A, 'http://10.0.0.1:8529']);
    list.update([A, B], 1);
    expect(await settled()).toStrictEqual([[A], [A, B]]);
    expect(entries).toHaveBeenCalledTimes(2);
  });

  it('is empty before the first list was read, and emits nothing before it was confirmed once', async () => {
    const { emitter } = newList();
    const list = new HeldList(emitter, 1000);
    const told = jest.fn();
    for (const event of ['live', 'stale', 'change', 'skipped'] as const) emitter.on(event, told);
    expect(list.provider()).toStrictEqual([]);
    list.fail(new Error('host 1 is down'));
    list.relist([A, 'leader']);
    list.confirm(performance.now());
    await nextTick();
    expect(told).not.toHaveBeenCalled();
    expect(list.status()).toMatchObject({ state: 'live', count: 1, skipped: 1 });
  });

  it('keeps an included endpoint whatever the registry says, until it is excluded', () => {
    const { list } = newList();
    list.include(B);
    list.relist([A]);
    expect(list.provider()).toStrictEqual([A, B]);
    list.relist([]);
    expect(list.provider()).toStrictEqual([B]);
    list.exclude(B);
    expect(list.provider()).toStrictEqual([]);
  });

  it('counts what it has read', () => {
    const { list } = newList();
    list.relist([A]);
    list.update([A, B], 3);
    list.update([A, B, C], 1);
    expect(list.status()).toMatchObject({ state: 'live', count: 3, skipped: 0, relists: 1, events: 4 });
    expect(list.status()).not.toHaveProperty('lastError');
  });
});

describe('the reasons of an outage', () => {
  const fail = (list: HeldList, ...reasons: string[]): void => {
    for (const reason of reasons) list.fail(new Error(reason));
  };

  it('are told once each, however often the registry fails', async () => {
    const { list, settled } = newList(Infinity);
    fail(list, 'refused', 'refused', '401', '401', 'refused', '401', 'timeout');
    expect(await settled()).toStrictEqual(['stale: refused', 'still stale: 401', 'still stale: timeout']);
  });

  it('are told anew in the next outage', async () => {
    const { list, settled } = newList(Infinity);
    fail(list, 'refused', '401');
    list.confirm(performance.now());
    fail(list, '401', 'refused');
    expect(await settled()).toStrictEqual([
      'stale: refused',
      'still stale: 401',
      'live',
      'stale: 401',
      'still stale: refused',
    ]);
  });

  it('are told up to the twentieth: a server may say something new every time', async () => {
    const { list, settled } = newList(Infinity);
    fail(list, ...Array.from({ length: 30 }, (_, index) => String(index)));
    const told = await settled();
    expect([told.length, told.at(-1)]).toStrictEqual([20, 'still stale: 19']);
    expect(list.status().lastError).toBe('29');
  });
});

describe('entries that are no endpoint', () => {
  it('are skipped, counted, and reported once as long as they stay', async () => {
    const { list, settled } = newList();
    list.relist([A, 'leader', 'unix:///tmp/a.sock', 'tcp://0.0.0.0:8529', 'leader']);
    expect(list.provider()).toStrictEqual([A]);
    expect(list.status()).toMatchObject({ count: 1, skipped: 3 });
    list.update([A, 'leader', 'unix:///tmp/a.sock', 'tcp://0.0.0.0:8529', 'new'], 1);
    list.update([A], 4);
    expect(list.status()).toMatchObject({ count: 1, skipped: 0 });
    list.update([A, 'leader'], 1);
    expect(await settled()).toStrictEqual([
      [A],
      [
        'skipped: "leader" is not an endpoint: it ha',
        'skipped: "unix:///tmp/a.sock" is not an end',
        'skipped: "tcp://0.0.0.0:8529" is not an end',
      ],
      ['skipped: "new" is not an endpoint: it has n'],
      ['skipped: "leader" is not an endpoint: it ha'],
    ]);
  });

  it('stand in the status as the last error, without a password that they may carry', () => {
    const { list } = newList();
    list.relist(['tcp://root:hunter2@10.0.0.1:8529']);
    expect(list.status().lastError).toMatch(/^"tcp:\/\/\*\*\*@10\.0\.0\.1:8529" is not an endpoint: it carries a user/);
  });
});

describe('a registry that no longer answers', () => {
  it('makes the list stale at once: it is still served, and its age grows', async () => {
    const { list, settled } = newList();
    list.relist([A]);
    list.confirm(performance.now());
    jest.advanceTimersByTime(300);
    list.fail(new Error('connection refused'));
    list.fail(new Error('connection refused again'));
    jest.advanceTimersByTime(200);
    expect(list.provider()).toStrictEqual([A]);
    expect(list.status()).toMatchObject({
      state: 'stale',
      ageMs: 500,
      count: 1,
      skipped: 0,
      relists: 1,
      events: 0,
      lastError: 'connection refused again',
    });
    expect(await settled()).toStrictEqual([[A], 'stale: connection refused', 'still stale: connection refused again']);
    list.close();
  });

  it('makes the list live again with the first confirmation, which the status remembers the failure of', async () => {
    const { list, settled } = newList();
    list.fail(new Error('timeout'));
    jest.advanceTimersByTime(500);
    list.confirm(performance.now() - 20);
    list.confirm(performance.now() - 10);
    expect(list.status()).toMatchObject({ state: 'live', ageMs: 10, lastError: 'timeout' });
    jest.advanceTimersByTime(10_000);
    expect(list.status()).toMatchObject({ state: 'live', ageMs: 10_010 });
    expect(await settled()).toStrictEqual(['stale: timeout', 'live']);
  });

  it('makes the list expire maxStaleMs after the last confirmation: 503 with errorNum 1478 and a text that may be shown', async () => {
    const { list, settled } = newList(1000);
    list.relist([A]);
    list.confirm(performance.now());
    jest.advanceTimersByTime(400);
    list.fail(new Error('timeout'));
    expect(await settled()).toStrictEqual([[A], 'stale: timeout']);
    jest.advanceTimersByTime(599);
    expect(list.status().state).toBe('stale');
    jest.advanceTimersByTime(2);
    expect(list.status()).toMatchObject({ state: 'expired', ageMs: 1001, count: 1 });
    const thrown = thrownBy(list.provider);
    expect(thrown).toMatchObject({
      status: 503,
      errorNum: 1478,
      expose: true,
      message: 'cluster backend unavailable',
    });
    expect(thrown).not.toHaveProperty('headers');
    expect(await settled()).toStrictEqual(['expired']);
    list.confirm(performance.now());
    expect(list.provider()).toStrictEqual([A]);
    expect(await settled()).toStrictEqual(['live']);
  });

  it('has the state expired when the event comes, as timers drop fractions of milliseconds', async () => {
    jest.useRealTimers();
    for (let round = 0; round < 40; round += 1) {
      const { emitter, list } = newList(3 + round / 41);
      list.fail(new Error('timeout'));
      await once(emitter, 'expired');
      expect(list.status().state).toBe('expired');
    }
    jest.useFakeTimers();
  });

  it('makes the list expire at once with maxStaleMs 0', async () => {
    const { list, settled } = newList(0);
    list.fail(new Error('timeout'));
    expect(list.status().state).toBe('expired');
    expect(() => list.provider()).toThrow('cluster backend unavailable');
    expect(await settled()).toStrictEqual(['stale: timeout']);
    jest.advanceTimersByTime(1);
    expect(await settled()).toStrictEqual(['expired']);
  });

  it('never makes the list expire with maxStaleMs Infinity', async () => {
    const { list, settled } = newList(Infinity);
    list.relist([A]);
    list.fail(new Error('timeout'));
    jest.advanceTimersByTime(10 * 365 * 86_400_000);
    expect(await settled()).toStrictEqual([[A], 'stale: timeout']);
    expect(list.status().state).toBe('stale');
    expect(list.provider()).toStrictEqual([A]);
  });
});

describe('a closed list', () =>
  it('gives no endpoints, emits nothing, neither what was due at that moment nor for later changes, and leaves no timer', async () => {
    const { list, settled } = newList();
    list.relist([A, 'leader']);
    list.include(B);
    list.fail(new Error('timeout'));
    list.close();
    list.fail(new Error('closing'));
    list.confirm(performance.now() + 1);
    list.exclude(B);
    list.include(A);
    list.relist([C]);
    list.update([B], 1);
    jest.advanceTimersByTime(10_000);
    expect(await settled()).toStrictEqual([]);
    expect(() => list.provider()).toThrow('cluster backend unavailable');
    const counts = { count: 2, skipped: 1, relists: 1, events: 0 };
    expect(list.status()).toMatchObject({ state: 'closed', ageMs: 10_000, lastError: 'timeout', ...counts });
  }));

it('a listener runs after the step that caused its event, so what it does or throws changes nothing there', async () => {
  const { emitter, list } = newList();
  const seen: unknown[] = [];
  emitter.once('change', (endpoints) => {
    seen.push(endpoints, list.provider());
    list.close();
  });
  list.relist([A]);
  list.update([A, B], 1);
  expect(seen).toStrictEqual([]);
  await nextTick();
  expect(seen).toStrictEqual([[A], [A, B]]);
  expect(list.status().state).toBe('closed');
});
