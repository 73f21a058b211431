import supertest from 'supertest';
import type { Server } from 'node:http';
import { createEndpointRouter, type EndpointProvider } from '../../lib/index.js';
import { hostOf, serve, serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

/** The bodies of listings that have been serialised since the test began. */
const serialised: string[] = [];

beforeEach(() => {
  serialised.length = 0;
  const stringify = JSON.stringify.bind(JSON);
  jest.spyOn(JSON, 'stringify').mockImplementation((...value: Parameters<typeof JSON.stringify>) => {
    const text = stringify(...value);
    if (/^(\[|\{"error":false)/.test(text)) serialised.push(text);
    return text;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function get(server: Server, path: string, times: number): Promise<string> {
  let text = '';
  for (let count = 0; count < times; count += 1) text = (await supertest(server).get(path).expect(200)).text;
  return text;
}

const coordinatorOf = (endpoints: EndpointProvider | readonly string[]): Server =>
  serverOf({ role: 'coordinator', endpoints, onError: () => undefined });

describe('A body is serialised once per change of the list', () => {
  const frozen = Object.freeze(['tcp://a', 'tcp://b']);
  const mutable = ['tcp://a', 'tcp://b'];

  it.each<[string, EndpointProvider | readonly string[]]>([
    ['a fixed list', frozen],
    ['the same frozen array', () => frozen],
    ['the same array', () => mutable],
    ['a promise of an array', () => Promise.resolve(mutable)],
    ['an equal array, made anew', () => [...mutable]],
    ['an equal array of strings made anew', () => ['a', 'b'].map((host) => `tcp://${host}`)],
    ['an array with an entry that is skipped', () => [...mutable, 'nonsense']],
    ['a Set', () => new Set(mutable)],
    [
      'a generator',
      function* () {
        yield* mutable;
      },
    ],
    ['an array and a frozen one in turns', inTurns(mutable, frozen)],
    ['an array and a Set in turns', inTurns(mutable, new Set(mutable))],
  ])('over 6 requests for %s: once', async (_what, endpoints) => {
    expect(await get(coordinatorOf(endpoints), CLUSTER, 6)).toBe(
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:8529"},{"endpoint":"tcp://b:8529"}]}',
    );
    expect(serialised).toHaveLength(1);
  });
});

describe('A list that changes is never served stale', () => {
  const listing = (...hosts: string[]): string =>
    `[${hosts.map((host) => `{"endpoint":"http://${host}:8529"}`).join()}]`;
  const array = ['tcp://a'];
  const frozenLater = ['tcp://a'];
  const set = new Set(array);
  const frozenSet = Object.freeze(new Set(array));

  it.each<[string, Iterable<string>, ...steps: [change: () => unknown, hosts: string[]][]]>([
    [
      'an array is changed in place',
      array,
      [() => (array[0] = 'tcp://b'), ['b']],
      [() => array.push('tcp://c'), ['b', 'c']],
      [() => (array.length = 0), []],
    ],
    [
      'an array is frozen only after it was changed',
      frozenLater,
      [() => Object.freeze(Object.assign(frozenLater, ['tcp://b'])), ['b']],
    ],
    ['a Set changes', set, [() => set.add('tcp://b'), ['a', 'b']]],
    ['a Set changes although it is frozen', frozenSet, [() => frozenSet.add('tcp://b'), ['a', 'b']]],
  ])('when %s: once at first, and once for each change', async (_what, list, ...steps) => {
    const server = coordinatorOf(() => list);
    expect(await get(server, SERVER, 3)).toBe(listing('a'));
    for (const [change, hosts] of steps) {
      change();
      expect(await get(server, SERVER, 3)).toBe(listing(...hosts));
    }
    expect(serialised).toHaveLength(steps.length + 1);
  });

  it('when two frozen arrays take turns: each is serialised once', async () => {
    const server = coordinatorOf(inTurns(Object.freeze(['tcp://a']), Object.freeze(['tcp://b'])));
    expect(await get(server, SERVER, 1)).toBe('[{"endpoint":"http://a:8529"}]');
    expect(await get(server, SERVER, 1)).toBe('[{"endpoint":"http://b:8529"}]');
    expect(await get(server, SERVER, 1)).toBe('[{"endpoint":"http://a:8529"}]');
    expect(serialised).toHaveLength(2);
  });

  it('when an array that has an iterator of its own comes after another list', async () => {
    const odd = Object.assign(['tcp://a'], { [Symbol.iterator]: () => ['tcp://b'].values() });
    const body = '[{"endpoint":"http://a:8529"}]';
    expect(await get(coordinatorOf(inTurns(['tcp://a'], odd)), SERVER, 2)).toBe(body);
    expect(await get(coordinatorOf(inTurns(['tcp://c'], odd)), SERVER, 2)).toBe(body);
  });

  it('when the order of its entries changes', async () => {
    const server = coordinatorOf(inTurns(['tcp://a', 'tcp://b'], ['tcp://b', 'tcp://a']));
    expect(await get(server, SERVER, 2)).toBe('[{"endpoint":"http://b:8529"},{"endpoint":"http://a:8529"}]');
    expect(serialised).toHaveLength(2);
  });
});

describe('The remembered body', () => {
  it('is one for each listing of a router', async () => {
    const server = coordinatorOf(() => ['tcp://a']);
    for (let count = 0; count < 3; count += 1) {
      expect(await get(server, SERVER, 1)).toBe('[{"endpoint":"http://a:8529"}]');
      expect(await get(server, CLUSTER, 1)).toBe(
        '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:8529"}]}',
      );
    }
    expect(serialised).toHaveLength(2);
  });

  it('is shared by all databases of a listing', async () => {
    const server = coordinatorOf(() => ['tcp://a']);
    await get(server, SERVER, 2);
    await get(server, `/_db/_system${SERVER}`, 2);
    expect(serialised).toEqual(['[{"endpoint":"http://a:8529"}]']);
  });

  it('is one for each router of a host', async () => {
    const app = hostOf({ endpoints: () => ['tcp://a'] });
    app.use('/b', createEndpointRouter({ endpoints: () => ['tcp://b'] }));
    const server = serve(app);
    for (let count = 0; count < 3; count += 1) {
      expect(await get(server, SERVER, 1)).toBe('[{"endpoint":"http://a:8529"}]');
      expect(await get(server, `/b${SERVER}`, 1)).toBe('[{"endpoint":"http://b:8529"}]');
    }
    expect(serialised).toHaveLength(2);
  });
});

/** A provider that gives one list after the other, again and again. */
function inTurns(...lists: readonly Iterable<string>[]): EndpointProvider {
  let turn = 0;
  return () => {
    const list = lists[turn % lists.length] ?? [];
    turn += 1;
    return list;
  };
}
