import { once } from 'node:events';
import type { HealthDirectory } from '../../lib/health/index.js';
import { goneEndpoint, healthDirectories } from '../support/health/health-directories.js';
import { STARTING, UNAUTHORIZED } from '../support/upstream/coordinator.js';
import { timersOf } from '../support/timers-of.js';
import { pause, until } from '../support/until.js';

const { serve, check, upstream } = healthDirectories();
const HANGS = (): Promise<void> => new Promise(() => undefined);
// eslint has nothing to say about a function that a caller without types may write.
const rejectsWithText = async (): Promise<void> => {
  await Promise.resolve();
  const thrown: unknown = 'text';
  throw thrown;
};
const FAR = { intervalMs: 600_000 };

/** The state of each endpoint in the status. */
const states = (directory: HealthDirectory): unknown[] => directory.status().entries.map(({ check }) => check?.state);
const next = async (
  directory: HealthDirectory,
  event: 'up' | 'down' | 'change' | 'stale' | 'live' | 'expired',
): Promise<unknown[]> => (await once(directory, event)) as unknown[];

/** A check that says what the test tells it to, for endpoints by their host. */
function toldChecks(): {
  sick: Set<string>;
  count: Map<string, number>;
  run: (endpoint: { host: string }) => Promise<void>;
} {
  const sick = new Set<string>();
  const count = new Map<string, number>();
  const run = ({ host }: { host: string }): Promise<void> => {
    count.set(host, (count.get(host) ?? 0) + 1);
    return sick.has(host) ? Promise.reject(new Error(`${host} is sick`)) : Promise.resolve();
  };
  return { sick, count, run };
}

describe('the first round', () => {
  it('is awaited, and decides by one check each', async () => {
    const [well, starting, gone] = [await serve([]), await serve(STARTING), await goneEndpoint()];
    const directory = await check([gone, starting.endpoint, well.endpoint], FAR);
    expect(directory.provider()).toStrictEqual([well.endpoint]);
    const number = expect.any(Number) as number;
    const entry = (source: string, state: string, check: string, reason?: unknown): object => ({
      ...{ source, endpoint: source, state, since: number },
      check: { state: check, since: number, ms: number, ...(reason !== undefined && { reason }) },
    });
    const entries = [
      entry(gone, 'down', 'down', expect.stringMatching(/^connect ECONNREFUSED /)),
      entry(starting.endpoint, 'down', 'down', 'the answer is 503'),
      entry(well.endpoint, 'listed', 'up'),
    ];
    expect(directory.status()).toEqual({
      ...{ state: 'live', ageMs: 0, count: 1, down: 2, skipped: 0, healthy: 1 },
      ...{ whenNoneHealthy: 'all', relists: 0, events: 0 },
      entries: expect.arrayContaining(entries) as unknown,
    });
    const sources = directory.status().entries.map(({ source }) => source);
    expect(sources).toEqual([gone, starting.endpoint, well.endpoint].sort());
    expect([well.requests, starting.requests]).toStrictEqual([
      ['GET /_admin/server/availability'],
      ['GET /_admin/server/availability'],
    ]);
  });

  it('takes at most connectTimeoutMs; who has not answered by then is listed after one good check', async () => {
    let answer!: () => void;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const checks = ({ host }: { host: string }): Promise<void> => (host === 'slow' ? slow : Promise.resolve());
    const directory = await check(['tcp://slow', 'tcp://fast'], {
      ...FAR,
      check: checks,
      connectTimeoutMs: 30,
      timeoutMs: 600_000,
    });
    expect(directory.provider()).toStrictEqual(['tcp://fast:8529']);
    expect(states(directory)).toStrictEqual(['up', 'unknown']);
    answer();
    expect(await next(directory, 'change')).toStrictEqual([['tcp://fast:8529', 'tcp://slow:8529']]);
  });

  it('ends with the reason of signal when that aborts, and leaves nothing behind', async () => {
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const checks = (_endpoint: unknown, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return HANGS();
    };
    const options = { ...FAR, check: checks, timeoutMs: 600_000, signal: stop.signal };
    const opening = check(['tcp://a'], options);
    await until('a check is running', () => signals.length === 1);
    stop.abort(new Error('stopped'));
    await expect(opening).rejects.toThrow('stopped');
    expect(signals[0]?.aborted).toBe(true);
    await expect(check(['tcp://a'], options)).rejects.toThrow('stopped');
    expect(signals).toHaveLength(1);
  });

  it('emits nothing: nobody has seen the directory yet', async () => {
    const directory = await check([await goneEndpoint()], FAR);
    const events = jest.fn();
    for (const event of ['up', 'down', 'change'] as const) directory.on(event, events);
    await pause(20);
    expect(events).not.toHaveBeenCalled();
  });
});

describe('an endpoint', () => {
  it('is off after fall failed checks in a row, and on again after rise good ones', async () => {
    const { sick, count, run } = toldChecks();
    const directory = await check(['tcp://a', 'tcp://b'], { check: run, fall: 3, rise: 2 });
    const told: unknown[] = [];
    directory.on('down', (endpoint, reason) => told.push(['down', endpoint, reason.message]));
    directory.on('up', (endpoint) => told.push(['up', endpoint]));
    directory.on('change', (endpoints) => told.push(endpoints));

    let before = count.get('a') ?? 0;
    sick.add('a');
    await next(directory, 'down');
    expect((count.get('a') ?? 0) - before).toBe(3);
    expect(directory.provider()).toStrictEqual(['tcp://b:8529']);
    expect(directory.status()).toMatchObject({
      count: 1,
      entries: [
        { state: 'down', check: { state: 'down', reason: 'a is sick' } },
        { state: 'listed', check: { state: 'up' } },
      ],
    });

    before = count.get('a') ?? 0;
    sick.delete('a');
    await next(directory, 'up');
    expect((count.get('a') ?? 0) - before).toBe(2);
    expect(directory.provider()).toStrictEqual(['tcp://a:8529', 'tcp://b:8529']);
    expect(told).toStrictEqual([
      ['tcp://b:8529'],
      ['down', 'tcp://a:8529', 'a is sick'],
      ['tcp://a:8529', 'tcp://b:8529'],
      ['up', 'tcp://a:8529'],
    ]);
  });

  it('is not flapped by failures that are not in a row, nor back by single good checks', async () => {
    const results = [true, false, false, true, false, false, true, false, false, false, true, false, true, true];
    let calls = 0;
    const told: [string, number][] = [];
    const checks = (): Promise<void> =>
      results[calls++] === false ? Promise.reject(new Error('busy')) : Promise.resolve();
    const directory = await check(['tcp://a'], { check: checks, intervalMs: 1, whenNoneHealthy: 'none' });
    for (const event of ['down', 'up'] as const) directory.on(event, () => told.push([event, calls]));
    await until('all results are used', () => calls > results.length + 2);
    expect(told).toStrictEqual([
      ['down', 10],
      ['up', 14],
    ]);
  });

  it('that was never up is listed after one good check', async () => {
    const { sick, count, run } = toldChecks();
    sick.add('a');
    const directory = await check(['tcp://a', 'tcp://b'], { check: run, rise: 50 });
    await until('it was checked again', () => (count.get('a') ?? 0) > 2);
    sick.delete('a');
    const before = count.get('a') ?? 0;
    await next(directory, 'up');
    expect((count.get('a') ?? 0) - before).toBe(1);
  });

  it('is given up after timeoutMs, by the signal too', async () => {
    const reasons: string[] = [];
    const checks = (_endpoint: unknown, signal: AbortSignal): Promise<void> =>
      new Promise(() => signal.addEventListener('abort', () => reasons.push((signal.reason as Error).message)));
    const directory = await check(['tcp://a'], { ...FAR, check: checks, timeoutMs: 30 });
    expect(directory.status().entries).toMatchObject([{ check: { state: 'down', reason: 'no answer within 30 ms' } }]);
    expect(reasons).toStrictEqual(['no answer within 30 ms']);
  });

  it.each<[string, () => Promise<void>, string]>([
    [
      'throws',
      () => {
        throw new Error('at once');
      },
      'at once',
    ],
    [
      'rejects with several reasons',
      () => Promise.reject(new AggregateError([new Error('a'), new Error('b'), new Error('a'), 'c', new Error()], '')),
      'a; b; "c"; object',
    ],
    ['fails in each way', () => Promise.any([Promise.reject(new Error('a'))]), 'All promises were rejected: a'],
    ['rejects with something that is no Error', rejectsWithText, 'the check failed: "text"'],
  ])('is down when its check %s', async (_how, checks, lastError) => {
    const directory = await check(['tcp://a'], { ...FAR, check: checks });
    expect(directory.status().entries).toMatchObject([{ check: { state: 'down', reason: lastError } }]);
  });
});

it('many endpoints wait in a few groups, whose checks begin together, and close() leaves no timer', async () => {
  const timers = timersOf('health');
  // What was cleared is only reported in the next turn.
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const endpoints = Array.from({ length: 500 }, (_, index) => `tcp://c${String(index)}`);
  const directory = await check(endpoints, { ...FAR, check: () => Promise.resolve() });
  await turn();
  // 50 in an interval, and those in which it begins and ends.
  expect(timers.pending()).toBeGreaterThan(10);
  expect(timers.pending()).toBeLessThanOrEqual(52);
  await directory.close();
  await turn();
  expect(timers.pending()).toBe(0);
  timers.stop();
});

describe('maxConcurrent', () => {
  it('bounds the checks at a time', async () => {
    let [running, most] = [0, 0];
    const checks = async (): Promise<void> => {
      most = Math.max(most, (running += 1));
      await pause(2);
      running -= 1;
    };
    const endpoints = Array.from({ length: 40 }, (_, index) => `tcp://c${String(index)}`);
    const directory = await check(endpoints, { check: checks, maxConcurrent: 7, intervalMs: 1 });
    expect(directory.status().count).toBe(40);
    expect(most).toBe(7);
  });

  it('a check that ignores its signal holds its place until timeoutMs, no longer', async () => {
    const checks = ({ host }: { host: string }): Promise<void> => (host === 'b' ? Promise.resolve() : HANGS());
    const directory = await check(['tcp://a', 'tcp://b'], { ...FAR, check: checks, maxConcurrent: 1, timeoutMs: 500 });
    expect(states(directory)).toStrictEqual(['down', 'up']);
  });
});

describe('while no endpoint is healthy', () => {
  const SICK = { ...FAR, check: () => Promise.reject(new Error('sick')) };

  it.each([
    [{}, ['tcp://a:8529', 'tcp://b:8529']],
    [{ whenNoneHealthy: 'all' }, ['tcp://a:8529', 'tcp://b:8529']],
    [{ whenNoneHealthy: 'none' }, []],
  ] as const)('the list is, with %j, %j', async (options, list) => {
    const directory = await check(['tcp://b', 'tcp://a', 'tcp://A:8529'], { ...SICK, ...options });
    expect(directory.provider()).toStrictEqual(list);
    expect(directory.provider()).toBe(directory.provider());
    expect(Object.isFrozen(directory.provider())).toBe(true);
  });

  it('an empty list is an empty list, with each of them', async () => {
    for (const whenNoneHealthy of ['all', 'none', 'fail'] as const) {
      const directory = await check([], { ...SICK, whenNoneHealthy });
      expect(directory.provider()).toStrictEqual([]);
    }
  });
});

describe('a directory behind it', () => {
  const UNAVAILABLE = expect.objectContaining({ status: 503, errorNum: 1478 }) as Error;
  const A = 'tcp://a.example:8529';
  const B = 'tcp://b.example:8529';

  it('gives the list: who joins is listed after one good check, who leaves is off at once', async () => {
    const { sick, count, run } = toldChecks();
    const server = await serve([A]);
    const directory = await check(await upstream(server), { check: run, whenNoneHealthy: 'none' });
    sick.add('b.example');
    server.reply([A, B]);
    await next(directory, 'down');
    expect(directory.provider()).toStrictEqual([A]);
    const before = count.get('b.example') ?? 0;
    sick.delete('b.example');
    expect(await next(directory, 'up')).toStrictEqual([B]);
    expect([directory.provider(), (count.get('b.example') ?? 0) - before]).toStrictEqual([[A, B], 1]);
    server.reply([B]);
    expect(await next(directory, 'change')).toStrictEqual([[B]]);
    expect(directory.status().entries.map(({ source }) => source)).toStrictEqual([B]);
  });

  it('a check that the change of the list interrupts does not count', async () => {
    const server = await serve([A, B]);
    const aborted: unknown[] = [];
    const source = await upstream(server);
    const checks = ({ host }: { host: string }, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (host === 'a.example') resolve();
        else signal.addEventListener('abort', () => aborted.push(host));
      });
    const directory = await check(source, { check: checks, connectTimeoutMs: 20, timeoutMs: 600_000, intervalMs: 5 });
    const down = jest.fn();
    directory.on('down', down);
    server.reply([A]);
    await until('the check is interrupted', () => aborted.length === 1);
    server.reply([A, B]);
    await until('it is checked anew', () => directory.status().entries.length === 2);
    expect(directory.status().entries[1]).toMatchObject({ source: B, state: 'down', check: { state: 'unknown' } });
    expect(down).not.toHaveBeenCalled();
  });

  it('its states and what it skips pass through', async () => {
    const server = await serve([A]);
    const source = await upstream(server);
    const directory = await check(source, { check: () => Promise.resolve() });
    const skipped = once(directory, 'skipped');
    server.reply([A, 'unix:///run/db.sock']);
    expect((await skipped)[0]).toMatchObject([{ name: 'EndpointSyntaxError' }]);
    server.reply(STARTING);
    const [reason] = (await next(directory, 'stale')) as [Error];
    expect(reason.message).toContain('503');
    expect(directory.status()).toMatchObject({ state: 'stale', skipped: 1, lastError: reason.message });
    expect(directory.provider()).toStrictEqual([A]);
    const another = once(directory, 'still-stale');
    server.reply(UNAUTHORIZED);
    expect(((await another) as [Error])[0].message).toContain('401');
    server.reply([A]);
    await next(directory, 'live');
    expect(directory.status()).toMatchObject({ state: 'live', skipped: 0 });
  });

  it('when it expires, the provider throws as its own does', async () => {
    const server = await serve([A]);
    const source = await upstream(server, { maxStaleMs: 50 });
    const directory = await check(source, { check: () => Promise.resolve() });
    await Promise.all([next(directory, 'expired'), server.close()]);
    expect(directory.status().state).toBe('expired');
    expect(directory.provider).toThrow(UNAVAILABLE);
    await expect(check(source)).rejects.toEqual(UNAVAILABLE);
    expect(source.listenerCount('expired')).toBe(1);
    await source.close();
    expect(directory.status().state).toBe('closed');
  });

  it('is left open by close(), without a listener', async () => {
    const source = await upstream(await serve([A]));
    const directory = await check(source, { check: () => Promise.resolve() });
    await directory.close();
    expect(source.provider()).toStrictEqual([A]);
    expect(source.eventNames()).toStrictEqual([]);
    expect(directory.status()).toMatchObject({ state: 'closed' });
    expect(directory.provider).toThrow(UNAVAILABLE);
  });
});

describe('close()', () => {
  it('ends the checks that are running and those that wait, and emits nothing more', async () => {
    const signals: AbortSignal[] = [];
    let calls = 0;
    const checks = (_endpoint: unknown, signal: AbortSignal): Promise<void> => {
      calls += 1;
      signals.push(signal);
      return calls <= 3 ? Promise.resolve() : HANGS();
    };
    const directory = await check(['tcp://a', 'tcp://b', 'tcp://c'], {
      check: checks,
      maxConcurrent: 1,
      intervalMs: 1,
      timeoutMs: 600_000,
    });
    await until('one is running', () => calls === 4);
    const events = jest.fn();
    for (const event of ['up', 'down', 'change'] as const) directory.on(event, events);
    const closed = directory.close();
    expect(directory.close()).toBe(closed);
    await closed;
    expect(signals.at(-1)?.aborted).toBe(true);
    await pause(20);
    expect([calls, events.mock.calls]).toStrictEqual([4, []]);
  });

  it('emits nothing, not even what was due in the same tick', async () => {
    const { sick, run } = toldChecks();
    const directory = await check(['tcp://a', 'tcp://b'], { check: run, fall: 1 });
    const down = jest.fn();
    directory.on('change', () => void directory.close());
    directory.on('down', down);
    sick.add('a');
    await until('it is closed', () => directory.status().state === 'closed');
    await pause(20);
    expect(down).not.toHaveBeenCalled();
  });
});
