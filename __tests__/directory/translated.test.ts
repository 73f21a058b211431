import { EventEmitter } from 'node:events';
import express from 'express';
import supertest from 'supertest';
import {
  createPolledDirectory,
  createTranslatedDirectory,
  type DirectoryEntry,
  type EndpointDirectory,
  type TranslatedDirectoryOptions,
} from '../../lib/directory/index.js';
import { createHealthDirectory, type HealthDirectory } from '../../lib/health/index.js';
import { createEndpointRouter } from '../../lib/index.js';
import { skippedIn } from '../../lib/listing/lists.js';
import { until } from '../support/until.js';

const [A, B, C] = ['tcp://a:8529', 'tcp://b:8529', 'tcp://c:8529'] as const;
const [DB1, DB2, LB] = ['ssl://db1.example:443', 'ssl://db2.example:443', 'ssl://lb.example:443'] as const;
const RULES = { [A]: DB1, [B]: DB2 };
const since = expect.any(Number) as number;

const opened: { close(): Promise<void> }[] = [];
const closing = <T extends { close(): Promise<void> }>(directory: T): T => {
  opened.push(directory);
  return directory;
};
afterEach(async () => {
  for (const directory of opened.splice(0).reverse()) await directory.close();
});

/** A directory whose list the test sets. */
async function source(
  ...first: string[]
): Promise<{ directory: EndpointDirectory; give: (...list: string[]) => void }> {
  let list = first;
  const directory = closing(await createPolledDirectory({ read: () => list, pollIntervalMs: 1 }));
  return { directory, give: (...next) => (list = next) };
}

/** A directory of somebody else, whose entries the test sets. */
function foreign(...first: object[]) {
  let entries = first;
  const emitter = Object.assign(new EventEmitter(), { provider: () => [], status: () => ({ state: 'live', entries }) });
  const give = (...next: object[]): void => {
    entries = next;
    emitter.emit('entries');
  };
  return { directory: emitter as unknown as EndpointDirectory, give };
}

/** Checks whose result the test says, by host. */
function checks(...sick: string[]) {
  const down = new Set(sick);
  const check = ({ host }: { host: string }): Promise<void> =>
    down.has(host) ? Promise.reject(new Error(`${host} is sick`)) : Promise.resolve();
  const health = async (endpoints: readonly string[] | EndpointDirectory, more = {}): Promise<HealthDirectory> =>
    closing(await createHealthDirectory({ endpoints, check, intervalMs: 1, fall: 1, rise: 1, ...more }));
  return { down, health };
}

const translate = (options: TranslatedDirectoryOptions) => closing(createTranslatedDirectory(options));

const entriesOf = (directory: { status(): { entries: readonly DirectoryEntry[] } }): unknown[] =>
  directory.status().entries.map(({ source, endpoint, state, reason }) => [source, endpoint, state, reason]);

/** The status of the cluster route, and what it lists. */
async function answer({ provider }: Pick<EndpointDirectory, 'provider'>): Promise<unknown[]> {
  const app = express()
    .set('env', 'test')
    .use(createEndpointRouter({ role: 'coordinator', endpoints: provider }));
  const { status, body } = (await supertest(app).get('/_api/cluster/endpoints')) as {
    status: number;
    body: { endpoints?: { endpoint: string }[]; errorNum?: number };
  };
  return [status, body.endpoints?.map(({ endpoint }) => endpoint) ?? body.errorNum];
}

describe('Every directory has entries', () => {
  it('in the order of the list, with what was skipped and why', async () => {
    const { directory } = await source(
      'tcp://b',
      'nonsense\u202e',
      'http://A',
      'tcp://0.0.0.0:1',
      'unix:///run/a.sock',
      A,
    );
    expect(directory.status()).toMatchObject({ count: 2, down: 0, skipped: 3 });
    expect(directory.status().entries.map((entry) => ({ ...entry }))).toStrictEqual([
      { source: A, endpoint: A, state: 'listed', since },
      { source: B, endpoint: B, state: 'listed', since },
      { source: 'nonsense\\u202e', state: 'skipped', reason: 'it contains a blank or a control character', since },
      { source: 'tcp://0.0.0.0:1', state: 'skipped', reason: 'clients cannot connect to a wildcard address', since },
      {
        source: 'unix:///run/a.sock',
        state: 'skipped',
        reason: 'a cluster listing has no place for a unix socket',
        since,
      },
    ]);
  });

  it('that are the same array until something about one of them changes', async () => {
    const { directory, give } = await source(A);
    const { entries, relists } = directory.status();
    await until('it is read again', () => directory.status().relists > relists + 2);
    expect(directory.status().entries).toBe(entries);
    expect(Object.isFrozen(entries) && Object.isFrozen(entries[0])).toBe(true);
    const changes = jest.fn();
    directory.on('change', changes);
    const list = directory.provider();
    give(A, 'nonsense');
    await new Promise<void>((resolve) => directory.once('entries', resolve));
    expect(directory.status().entries).toHaveLength(2);
    expect(directory.status().entries[0]?.since).toBe(entries[0]?.since);
    expect(directory.provider()).toBe(list);
    expect(changes).not.toHaveBeenCalled();
    const [, skipped] = directory.status().entries;
    give('nonsense');
    await new Promise((resolve) => directory.once('change', resolve));
    expect(directory.status().entries[0]).toBe(skipped);
  });

  const a = { source: A, endpoint: A };
  const b = { source: B, endpoint: B };
  const dead = { ...a, check: { state: 'down', since: 0 } };
  const skipped = { source: 'x', reason: 'no host' };
  it.each<[what: string, told: number, before: object[], first: object]>([
    ['the same', 0, [a, b], { ...a }],
    ['nothing but one that is skipped', 0, [skipped], { ...skipped }],
    ['another source of an address', 1, [a, b], { ...a, source: C }],
    ['another address that is down', 1, [dead, b], { ...dead, endpoint: DB1 }],
    ['another reason', 1, [skipped, b], { ...skipped, reason: 'no port' }],
    ['another check', 1, [dead, b], { ...dead, check: { state: 'unknown', since: 0 } }],
  ])('of which a change is told, if the list is the same: %s, %d', async (_what, told, before, first) => {
    const { directory: endpoints, give } = foreign(...before);
    const directory = translate({ endpoints, rules: {}, unmatched: 'keep' });
    const list = directory.provider();
    const [changes, entries] = [jest.fn(), jest.fn()];
    directory.on('change', changes).on('entries', entries);
    give(first, ...before.slice(1));
    await new Promise(setImmediate);
    expect([changes.mock.calls.length, entries.mock.calls.length]).toEqual([0, told]);
    expect(directory.provider()).toBe(list);
    expect(directory.status().entries[0]).toMatchObject(first);
    const kept = directory.status().entries;
    give(...endpoints.status().entries);
    expect(directory.status().entries).toBe(kept);
  });

  it('whose check is as of now, whenever it is read', async () => {
    const { down, health } = checks();
    const directory = await health([A, B]);
    const [entry, other] = directory.status().entries;
    expect(entry).toEqual({ source: A, endpoint: A, state: 'listed', since, check: { state: 'up', since, ms: since } });
    expect(JSON.parse(JSON.stringify(entry))).toEqual({ ...entry });
    down.add('a');
    await until('it is down', () => entry?.check?.state === 'down');
    expect(entry?.check).toMatchObject({ state: 'down', reason: 'a is sick' });
    await until('it is off the list', () => directory.status().down === 1);
    expect(entriesOf(directory)).toEqual([
      [A, A, 'down', undefined],
      [B, B, 'listed', undefined],
    ]);
    expect(directory.status().entries[1]).toBe(other);
  });

  it('and a list of which everything is skipped is 500 / 4, an empty one 200, in any order', async () => {
    const { directory, give } = await source('nonsense');
    const change = async (...list: string[]): Promise<unknown[]> => {
      const next = new Promise<void>((resolve) => directory.once('entries', resolve));
      give(...list);
      await next;
      return answer(directory);
    };
    expect(await answer(directory)).toEqual([500, 4]);
    expect(await change()).toEqual([200, []]);
    expect(await change('more nonsense')).toEqual([500, 4]);
    const reasons = (): string[] => skippedIn(directory.provider()).map(({ message }) => message);
    expect(reasons()).toEqual(['"more nonsense" is skipped: it contains a blank or a control character']);
    expect(await change('more nonsense', 'still more')).toEqual([500, 4]);
    expect(reasons()).toHaveLength(2);
    expect(await change(...Array.from({ length: 21 }, (_, index) => `nonsense ${String(index)}`))).toEqual([500, 4]);
    expect(reasons()).toHaveLength(20);
    expect(directory.provider()).toEqual([]);
    expect(await change(A, 'more nonsense')).toEqual([200, [A]]);
    expect(await change()).toEqual([200, []]);
  });
});

describe('createTranslatedDirectory', () => {
  it('lists the addresses that clients can reach, of a fixed list', () => {
    const directory = translate({ endpoints: ['tcp://b', 'http://a', 'tcp://c'], rules: { 'tcp://A': DB1, [B]: DB2 } });
    expect(directory.provider()).toEqual([DB1, DB2]);
    expect(directory.provider()).toBe(directory.provider());
    expect(directory.status()).toMatchObject({ state: 'live', ageMs: 0, count: 2, down: 0, skipped: 1 });
    expect(directory.status().healthy).toBeUndefined();
    expect(entriesOf(directory)).toEqual([
      [A, DB1, 'listed', undefined],
      [B, DB2, 'listed', undefined],
      [C, undefined, 'skipped', 'no rule names it'],
    ]);
  });

  it.each<[what: string, options: Partial<TranslatedDirectoryOptions>, list: string[]]>([
    ['unmatched keep', { unmatched: 'keep' }, [DB1, DB2, C]],
    ['*', { rules: { [A]: DB1, '*': LB } }, [DB1, LB]],
    [
      'a function of the endpoint',
      { rules: ({ host }) => (host === 'c' ? undefined : `ssl://${host}.example`), unmatched: 'keep' },
      ['ssl://a.example:8529', 'ssl://b.example:8529', C],
    ],
  ])('with %s', (_what, options, list) =>
    expect(translate({ endpoints: [A, B, C], rules: RULES, ...options }).provider()).toEqual(list),
  );

  it.each<[what: string, rule: () => unknown, reason: string]>([
    [
      'throws',
      () => {
        throw new Error('no such host');
      },
      'its rule fails: no such host',
    ],
    ['gives no endpoint', () => 'nonsense', 'its rule fails: "nonsense" is not an endpoint: it has no "<scheme>://"'],
    ['gives a promise', () => Promise.reject(new Error('later')), 'its rule fails: object is not an endpoint'],
  ])('skips an endpoint whose rule %s', (_what, rule, reason) => {
    const [entry] = translate({ endpoints: [A], rules: rule as () => string }).status().entries;
    expect(entry).toMatchObject({ source: A, state: 'skipped', reason: expect.stringContaining(reason) as string });
  });

  it('translates when the list changes, each endpoint once, and not when somebody asks', async () => {
    const { directory: endpoints, give } = await source(A);
    const rule = jest.fn(({ host }: { host: string }) => `ssl://${host}.example`);
    const directory = translate({ endpoints, rules: rule });
    for (let times = 0; times < 10; times += 1) directory.provider();
    give(A, B);
    const [list] = await new Promise<unknown[]>((resolve) => directory.once('change', (...all) => resolve(all)));
    expect(list).toEqual(['ssl://a.example:8529', 'ssl://b.example:8529']);
    expect(rule.mock.calls.map(([{ host }]) => host)).toEqual(['a', 'b']);
  });

  it('reports what no rule names once, as long as it stays', async () => {
    const { directory: endpoints, give } = await source(A);
    const directory = translate({ endpoints, rules: RULES });
    const skipped: string[][] = [];
    directory.on('skipped', (refusals) => skipped.push(refusals.map(({ message }) => message)));
    give(A, C);
    await until('it is there', () => directory.status().skipped === 1);
    const reported = [['"tcp://c:8529" is skipped: no rule names it']];
    expect(skipped).toEqual(reported);
    give(A, B, C);
    await until('another is there', () => directory.status().count === 2);
    directory.replaceRules({ '*': LB });
    await new Promise(setImmediate);
    expect(skipped).toEqual(reported);
  });

  it('replaces its rules all or nothing, with a change where another list follows', async () => {
    const directory = translate({ endpoints: [A, B], rules: RULES });
    const changes: unknown[] = [];
    directory.on('change', (endpoints) => changes.push(endpoints));
    expect(() => directory.replaceRules({ [A]: LB, nonsense: DB1, [B]: 'more nonsense' })).toThrow(
      /^createTranslatedDirectory: the rules have mistakes:\n {2}"nonsense" .*\n {2}"more nonsense" /,
    );
    expect(directory.provider()).toEqual([DB1, DB2]);
    directory.replaceRules({ ...RULES });
    directory.replaceRules({ '*': LB });
    expect(directory.provider()).toEqual([LB]);
    await new Promise(setImmediate);
    expect(changes).toEqual([[LB]]);
  });

  it('replaces, with its rules, what becomes of an endpoint that none of them names', () => {
    const directory = translate({ endpoints: [A, B], rules: RULES });
    directory.replaceRules({ [A]: LB }, 'keep');
    expect(directory.provider()).toEqual([LB, B]);
    expect(() => directory.replaceRules({}, 'kept' as 'keep')).toThrow(
      "createTranslatedDirectory: option unmatched must be 'skip' or 'keep', got \"kept\"",
    );
    expect(directory.provider()).toEqual([LB, B]);
    directory.replaceRules({ [B]: DB2 });
    expect(directory.provider()).toEqual([A, DB2]);
    directory.replaceRules({ [B]: DB2 }, 'skip');
    expect(directory.provider()).toEqual([DB2]);
  });

  it.each<[what: string, options: object, message: string]>([
    [
      'no rules',
      { endpoints: [] },
      'option rules is missing; it must be a plain object from endpoint to endpoint, or a function',
    ],
    [
      'a list of rules',
      { endpoints: [], rules: [] },
      'createTranslatedDirectory: the rules must be a plain object or a function, got an array',
    ],
    [
      'a text as rules',
      { endpoints: [], rules: LB },
      'option rules must be a plain object from endpoint to endpoint, or a function, got "ssl',
    ],
    [
      'a list with what is no endpoint',
      { endpoints: ['nonsense'], rules: {} },
      'option endpoints: "nonsense" is not an endpoint',
    ],
    [
      'half a directory',
      { endpoints: { provider: () => [] }, rules: {} },
      'option endpoints must be an array of endpoints, or a directory',
    ],
    [
      'another word for unmatched',
      { endpoints: [], rules: {}, unmatched: 'drop' },
      "option unmatched must be 'skip' or 'keep', got \"drop\"",
    ],
  ])('refuses %s', (_what, options, message) =>
    expect(() => createTranslatedDirectory(options as TranslatedDirectoryOptions)).toThrow(message),
  );

  it('passes the states of the directory behind it on, and leaves it open', async () => {
    let fails = false;
    const read = (): string[] => {
      if (fails) throw new Error('gone');
      return [A];
    };
    const endpoints = closing(await createPolledDirectory({ read, pollIntervalMs: 1, maxStaleMs: 50 }));
    const directory = translate({ endpoints, rules: RULES });
    fails = true;
    await new Promise<void>((resolve) => directory.once('expired', resolve));
    expect(directory.status()).toMatchObject({ state: 'expired', count: 1, lastError: 'gone' });
    expect(directory.provider).toThrow('cluster backend unavailable');
    fails = false;
    await new Promise<void>((resolve) => directory.once('live', resolve));
    await directory.close();
    expect(directory.provider).toThrow('cluster backend unavailable');
    expect(directory.status().state).toBe('closed');
    expect([endpoints.provider(), endpoints.eventNames()]).toEqual([[A], []]);
  });

  it('has no entries where its source is an empty list', () =>
    expect(translate({ endpoints: [], rules: {} }).status()).toStrictEqual({
      ...{ state: 'live', ageMs: 0, relists: 0, events: 0 },
      ...{ count: 0, down: 0, skipped: 0, entries: [] },
    }));

  it('takes the list of a directory of somebody else, which has no entries', () => {
    let list: readonly string[] = [A, C];
    const foreign = Object.assign(new EventEmitter(), { provider: () => list, status: () => ({ state: 'live' }) });
    const directory = translate({ endpoints: foreign as unknown as EndpointDirectory, rules: RULES });
    expect(directory.provider()).toEqual([DB1]);
    list = [A, B];
    foreign.emit('change', list);
    expect(directory.provider()).toEqual([DB1, DB2]);
  });

  it('lists all of such a directory whose checks fail, where it does not say what is served then', () => {
    const { directory: endpoints } = foreign({ source: A, endpoint: A, check: { state: 'down', since: 0 } });
    expect(translate({ endpoints, rules: RULES }).provider()).toEqual([DB1]);
  });

  it('keeps the last list of such a directory while that throws and checks go on', async () => {
    let isExpired = true;
    const provider = (): readonly string[] => {
      if (isExpired) throw new Error('expired');
      return [A, B];
    };
    const foreign = Object.assign(new EventEmitter(), { provider, status: () => ({ state: 'live' }) });
    const endpoints = foreign as unknown as EndpointDirectory;
    expect(() => translate({ endpoints, rules: RULES })).toThrow('expired');
    expect(foreign.eventNames()).toEqual([]);
    isExpired = false;
    const { down, health } = checks();
    const directory = await health(endpoints);
    isExpired = true;
    down.add('a');
    await until('a is down', () => directory.status().down === 1);
    expect(directory.provider).toThrow('expired');
    isExpired = false;
    expect(directory.provider()).toEqual([B]);
  });
});

describe('Health checks and translation, in either order,', () => {
  const ORDERS = [
    ['health before translation', 'before'],
    ['health after translation', 'after'],
  ] as const;

  async function gateway(order: 'before' | 'after', sick: string[], rules: Record<string, string>, more = {}) {
    const { down, health } = checks(...sick);
    const directory =
      order === 'before'
        ? translate({ endpoints: await health([A, B, C], more), rules })
        : await health(translate({ endpoints: [A, B, C], rules }), more);
    return { down, directory };
  }

  it.each(ORDERS)('%s: who is dead, and who has no rule, is not listed', async (_what, order) => {
    const { directory, down } = await gateway(order, ['a'], RULES);
    expect(directory.provider()).toEqual([DB2]);
    expect(entriesOf(directory)).toEqual([
      [A, DB1, 'down', undefined],
      [B, DB2, 'listed', undefined],
      [C, undefined, 'skipped', 'no rule names it'],
    ]);
    expect(directory.status()).toMatchObject({ count: 1, down: 1, skipped: 1, healthy: 1, whenNoneHealthy: 'all' });
    // A and B are dead and C, which clients cannot get, is not: nothing that could be listed is healthy.
    down.add('b');
    await until('nothing is healthy', () => directory.status().healthy === 0);
    expect(await answer(directory)).toEqual([200, [DB1, DB2]]);
    expect(directory.status()).toMatchObject({ count: 2, down: 0, skipped: 1, healthy: 0 });
  });

  it.each(ORDERS)('%s: a balancer is listed once, while one behind it is healthy', async (_what, order) => {
    const { directory, down } = await gateway(order, ['a', 'b'], { '*': LB }, { whenNoneHealthy: 'none' });
    expect(directory.provider()).toEqual([LB]);
    expect(directory.status()).toMatchObject({ count: 1, down: 2, skipped: 0, healthy: 1 });
    down.add('c');
    await until('the last one is down', () => directory.status().healthy === 0);
    expect(await answer(directory)).toEqual([200, []]);
    down.delete('a');
    await until('one is back', () => directory.status().healthy === 1);
    expect(directory.provider()).toEqual([LB]);
  });

  it.each(ORDERS)(
    '%s: whenNoneHealthy "fail" is 503 / 1478, and nothing but skipped entries 500 / 4',
    async (_what, order) => {
      const { directory } = await gateway(order, ['a', 'b'], RULES, { whenNoneHealthy: 'fail' });
      expect(await answer(directory)).toEqual([503, 1478]);
      const partly = await gateway(order, ['a'], RULES, { whenNoneHealthy: 'fail' });
      expect(await answer(partly.directory)).toEqual([200, [DB2]]);
      const skipped = await gateway(order, [], { 'tcp://d': DB1 }, { whenNoneHealthy: 'fail' });
      expect(await answer(skipped.directory)).toEqual([500, 4]);
    },
  );

  it('each source is checked once, however many translated directories stand on the checks', async () => {
    const checked: string[] = [];
    const check = ({ host }: { host: string }): Promise<void> => Promise.resolve(void checked.push(host));
    const health = closing(await createHealthDirectory({ endpoints: [A, B], check, intervalMs: 600_000 }));
    const networks = Array.from({ length: 20 }, (_, index) =>
      translate({ endpoints: health, rules: ({ host }) => `ssl://${host}.n${String(index)}.example` }),
    );
    expect(networks[19]?.provider()).toEqual(['ssl://a.n19.example:8529', 'ssl://b.n19.example:8529']);
    expect(checked).toEqual(['a', 'b']);
    expect(health.listenerCount('entries')).toBe(20);
  });

  it('what one of two health directories has taken off, the other does not put back', async () => {
    const [first, second] = [checks('a'), checks('b')];
    const directory = await second.health(await first.health([A, B, C]));
    expect(directory.provider()).toEqual([C]);
    expect(directory.status().entries.map(({ check }) => check?.reason)).toEqual(['a is sick', 'b is sick', undefined]);
  });
});
