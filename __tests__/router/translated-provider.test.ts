import express from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import supertest from 'supertest';
import {
  coalesce,
  createEndpointRouter,
  translateEndpoints,
  type EndpointProvider,
  type EndpointQuery,
  type EndpointRouterOptions,
  type TranslationRules,
} from '../../lib/index.js';
import { serve, serverOf } from '../support/router/host.js';
import { thrownBy } from '../support/thrown.js';

const INSIDE_1 = 'tcp://10.0.0.11:8529';
const INSIDE_2 = 'tcp://10.0.0.12:8529';
const OUTSIDE_1 = 'ssl://db1.example:443';
const OUTSIDE_2 = 'ssl://db2.example:443';
const RULES = { [INSIDE_1]: OUTSIDE_1, [INSIDE_2]: OUTSIDE_2 };

/** What a provider that never looks at it is asked. */
const queryOf = (database: string): EndpointQuery => ({ listing: 'cluster', database }) as unknown as EndpointQuery;
const QUERY = queryOf('_system');
const fixed = (...endpoints: string[]): EndpointProvider => {
  const list = Object.freeze(endpoints);
  return () => list;
};

/** Asks a coordinator that lists these endpoints; gives statuses, lists and what was reported. */
async function ask(
  endpoints: EndpointProvider,
  paths: readonly string[] = ['/_api/cluster/endpoints'],
  options: Partial<EndpointRouterOptions> = {},
): Promise<{ answers: [number, unknown][]; reported: string[] }> {
  const reported: string[] = [];
  const server = serverOf({
    role: 'coordinator',
    endpoints,
    onError: ({ message }) => reported.push(message),
    ...options,
  });
  const answers: [number, unknown][] = [];
  for (const path of paths) {
    const { status, body } = (await supertest(server).get(path)) as { status: number; body: unknown };
    const list = Array.isArray(body) ? body : (body as { endpoints?: unknown[] }).endpoints;
    answers.push([status, list?.map((entry) => (entry as { endpoint: string }).endpoint)]);
  }
  return { answers, reported };
}

const listed = async (...args: Parameters<typeof translateEndpoints>): Promise<unknown> =>
  (await ask(translateEndpoints(...args))).answers[0];

describe('a record of rules', () => {
  it('gives each endpoint the address that clients can reach, in the order of the list', async () => {
    await expect(listed(fixed(INSIDE_2, INSIDE_1), RULES)).resolves.toEqual([200, [OUTSIDE_2, OUTSIDE_1]]);
  });

  it('takes any spelling, on both sides and in the list', async () => {
    const rules = { 'HTTP://10.0.0.11': 'https://DB1.example:443/', 'http+tcp://[::0:1]:1': 'tcp://b' };
    await expect(listed(fixed('http@tcp://10.0.0.11:8529', 'tcp://[::1]:1'), rules)).resolves.toEqual([
      200,
      [OUTSIDE_1, 'tcp://b:8529'],
    ]);
  });

  it('takes with "*" as the last key what no other key names: everything to one balancer', async () => {
    await expect(listed(fixed(INSIDE_1, INSIDE_2, 'tcp://10.0.0.13'), { '*': OUTSIDE_1 })).resolves.toEqual([
      200,
      [OUTSIDE_1],
    ]);
    await expect(listed(fixed(INSIDE_1, INSIDE_2), { [INSIDE_2]: OUTSIDE_2, '*': OUTSIDE_1 })).resolves.toEqual([
      200,
      [OUTSIDE_1, OUTSIDE_2],
    ]);
  });

  it('is copied: a later change of the object changes nothing', async () => {
    const rules: Record<string, string> = { ...RULES };
    const provider = translateEndpoints(fixed(INSIDE_1), rules);
    rules[INSIDE_1] = OUTSIDE_2;
    await expect(ask(provider)).resolves.toMatchObject({ answers: [[200, [OUTSIDE_1]]] });
  });
});

it('the single listing is translated too, wildcard addresses and socket files included', async () => {
  const provider = translateEndpoints(fixed('tcp://0.0.0.0:8529', 'unix:///run/db.sock'), {
    'tcp://0.0.0.0:8529': OUTSIDE_1,
    'unix:///run/db.sock': 'tcp://db3.example:80',
  });
  const { answers } = await ask(provider, ['/_api/endpoint'], { role: 'single' });
  expect(answers).toEqual([[200, ['https://db1.example:443', 'http://db3.example:80']]]);
});

describe('an endpoint that no rule names', () => {
  it('is skipped, and reported to onError once per change, as an error with a name and a reason', async () => {
    let list = Object.freeze([INSIDE_1, 'tcp://10.0.0.13:8529']);
    const provider = translateEndpoints(() => list, RULES);
    const reported: string[] = [];
    const skipped: unknown[] = [];
    const onError = (error: Error): void => {
      reported.push(error.message);
      skipped.push(...((error as AggregateError).errors as unknown[]));
    };
    const server = serverOf({ role: 'coordinator', endpoints: provider, onError });
    const get = async (): Promise<string> => (await supertest(server).get('/_api/cluster/endpoints')).text;
    expect(await get()).toBe('{"error":false,"code":200,"endpoints":[{"endpoint":"ssl://db1.example:443"}]}');
    await get();
    list = Object.freeze([...list]);
    await get();
    expect(reported).toEqual([
      'skipped in the cluster listing: "tcp://10.0.0.13:8529" is skipped: no rule of translateEndpoints names it',
    ]);
    expect(skipped).toMatchObject([
      { name: 'UnmatchedEndpointError', reason: 'no rule of translateEndpoints names it' },
    ]);
    list = Object.freeze([INSIDE_1, 'tcp://10.0.0.14:8529']);
    await get();
    expect(reported.slice(1)).toEqual([
      'skipped in the cluster listing: "tcp://10.0.0.14:8529" is skipped: no rule of translateEndpoints names it',
    ]);
  });

  it("is kept with unmatched: 'keep', in its canonical form", async () => {
    await expect(listed(fixed(INSIDE_1, 'http://10.0.0.13'), RULES, { unmatched: 'keep' })).resolves.toEqual([
      200,
      [OUTSIDE_1, 'tcp://10.0.0.13:8529'],
    ]);
  });

  it('makes a 500, and no empty list, when there is no other', async () => {
    const { answers, reported } = await ask(translateEndpoints(fixed('tcp://10.0.0.13'), RULES));
    expect(answers).toEqual([[500, undefined]]);
    expect(reported).toHaveLength(1);
    await expect(listed(fixed(), RULES)).resolves.toEqual([200, []]);
  });

  it('is reported beside what another translation before has skipped, and again when that changes', async () => {
    const others = ['tcp://10.0.0.13', 'tcp://10.0.0.14'];
    const inner = translateEndpoints(() => [INSIDE_1, INSIDE_2, others.shift() ?? ''], RULES);
    const outer = translateEndpoints(inner, { [OUTSIDE_1]: 'tcp://b' });
    const { answers, reported } = await ask(outer, ['/_api/cluster/endpoints', '/_api/cluster/endpoints']);
    expect(answers).toEqual(Array(2).fill([200, ['tcp://b:8529']]));
    expect(reported).toEqual(
      [13, 14].map(
        (last) =>
          'skipped in the cluster listing:\n  "ssl://db2.example:443" is skipped: no rule of translateEndpoints names it\n' +
          `  "tcp://10.0.0.${String(last)}:8529" is skipped: no rule of translateEndpoints names it`,
      ),
    );
  });

  it('is reported for each query that skips another one, although the lists are the same', async () => {
    const rule: TranslationRules = ({ host }, { database }) => (host === database ? OUTSIDE_1 : undefined);
    const paths = ['/_db/a/_api/cluster/endpoints', '/_db/b/_api/cluster/endpoints'];
    const provider = translateEndpoints(fixed('tcp://a', 'tcp://b'), rule);
    const { answers, reported } = await ask(provider, paths, { clusterDatabases: 'any' });
    expect(answers).toEqual(Array(2).fill([200, [OUTSIDE_1]]));
    expect(reported.map((message) => message.split('"')[1])).toEqual(['tcp://b:8529', 'tcp://a:8529']);
  });
});

describe('an entry that is no endpoint', () =>
  it('is left to the router, which skips and reports it', async () => {
    const provider = translateEndpoints((() => [INSIDE_1, 7, 'db.example']) as unknown as EndpointProvider, RULES);
    const { answers, reported } = await ask(provider);
    expect(answers).toEqual([[200, [OUTSIDE_1]]]);
    expect(reported[0]).toMatch(
      /"db\.example" is not an endpoint: it has no "<scheme>:\/\/".*\n {2}number is not an endpoint/,
    );
  }));

it('the provider behind may be slow, and may fail, as without translation', async () => {
  await expect(listed(() => Promise.resolve([INSIDE_1]), RULES)).resolves.toEqual([200, [OUTSIDE_1]]);
  await expect(listed(() => new Set([INSIDE_1]), RULES)).resolves.toEqual([200, [OUTSIDE_1]]);
  await expect(
    listed(
      coalesce(() => Promise.resolve([INSIDE_1])),
      RULES,
    ),
  ).resolves.toEqual([200, [OUTSIDE_1]]);
  await expect(listed(() => Promise.reject(new Error('away')), RULES)).resolves.toEqual([500, undefined]);
});

describe('the same frozen list in', () => {
  it.each<[what: string, provider: EndpointProvider, rules: TranslationRules]>([
    ['from a record', fixed(INSIDE_1, INSIDE_2), RULES],
    ['from a function that says the same again', fixed(INSIDE_1, INSIDE_2), ({ host }) => `tcp://${host}.example`],
    [
      'from a function that skips the same',
      fixed(INSIDE_1, INSIDE_2),
      ({ host }) => (host === '10.0.0.12' ? OUTSIDE_2 : undefined),
    ],
    ['for an equal list that is another array', () => [INSIDE_1, INSIDE_2], RULES],
  ])('gives the same frozen list out, %s', (_what, given, rules) => {
    const provider = translateEndpoints(given, rules);
    const first = provider(QUERY);
    expect(provider(QUERY)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('an equal frozen list that comes after it is read once too', () => {
    let reads = 0;
    const equal = new Proxy(Object.freeze([INSIDE_1]), {
      get: (target, key, receiver) => {
        if (key === '0') reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    let list: readonly string[] = Object.freeze([INSIDE_1]);
    const provider = translateEndpoints(() => list, RULES);
    const first = provider(QUERY);
    list = equal;
    expect(provider(QUERY)).toBe(first);
    const readsAtFirst = reads;
    expect(provider(QUERY)).toBe(first);
    expect(reads).toBe(readsAtFirst);
  });

  it('a list that is changed in place gives another list out', () => {
    const list = [INSIDE_1];
    const provider = translateEndpoints(() => list, RULES);
    expect(provider(QUERY)).toEqual([OUTSIDE_1]);
    list.push(INSIDE_2);
    expect(provider(QUERY)).toEqual([OUTSIDE_1, OUTSIDE_2]);
  });
});

describe('a function', () => {
  it('gets each endpoint taken apart', () => {
    const seen: unknown[] = [];
    const rule: TranslationRules = (endpoint) => void seen.push(endpoint);
    void translateEndpoints(fixed('https://[::1]:9', 'unix:///run/db.sock'), rule)(QUERY);
    expect(seen).toEqual([
      { scheme: 'ssl', host: '::1', port: 9 },
      { scheme: 'unix', host: '', port: 0, path: '/run/db.sock' },
    ]);
  });

  const network = new AsyncLocalStorage<string>();

  it.each<[how: string, networkOf: (query: EndpointQuery) => string | undefined]>([
    ['reads its query', ({ req }) => req.get('x-network')],
    ['copies its query', (query) => Object.assign({}, query).req.get('x-network')],
    ['reads AsyncLocalStorage', () => network.getStore()],
  ])('that %s gives each client its own list', async (_how, networkOf) => {
    const rule: TranslationRules = ({ host }, query) => `tcp://${host}.${String(networkOf(query))}.example`;
    const router = createEndpointRouter({ endpoints: translateEndpoints(fixed('tcp://a'), rule) });
    const app = express().use((req, _res, next) => network.run(String(req.get('x-network')), next));
    const server = serve(app.use(router));
    for (const name of ['inside', 'outside', 'inside']) {
      const { text } = await supertest(server).get('/_api/endpoint').set('X-Network', name);
      expect(text).toBe(`[{"endpoint":"http://a.${name}.example:8529"}]`);
    }
  });

  it('that reads the query gives the same few lists again, so that the router need not serialise anew', () => {
    const provider = translateEndpoints(fixed(INSIDE_1), (_endpoint, { database }) => `tcp://${database}`);
    const of = (database: string): unknown => provider(queryOf(database));
    const [a, b] = [of('a'), of('b')];
    expect([a, b]).toEqual([['tcp://a'], ['tcp://b']]);
    expect([of('a'), of('b')].every((list, index) => list === [a, b][index])).toBe(true);
    for (let index = 0; index < 20; index += 1) of(`c${String(index)}`);
    expect(of('a')).not.toBe(a);
    expect(of('a')).toEqual(a);
  });

  it('is asked for every endpoint in every request', () => {
    const rule = jest.fn(() => OUTSIDE_1);
    const provider = translateEndpoints(fixed(INSIDE_1, INSIDE_2), rule);
    void provider(QUERY);
    void provider(QUERY);
    expect(rule).toHaveBeenCalledTimes(4);
  });

  it('that throws makes a 500', async () => {
    const rule = (): never => {
      throw new Error('no table');
    };
    await expect(listed(fixed(INSIDE_1), rule)).resolves.toEqual([500, undefined]);
  });

  it('that returns something else than text is reported; a promise that rejects ends nothing', async () => {
    const rule = ((endpoint: { host: string }) =>
      endpoint.host === '10.0.0.11'
        ? Promise.reject(new Error('never seen'))
        : OUTSIDE_2) as unknown as TranslationRules;
    const { answers, reported } = await ask(translateEndpoints(fixed(INSIDE_1, INSIDE_2), rule));
    expect(answers).toEqual([[200, [OUTSIDE_2]]]);
    expect(reported[0]).toMatch(/^skipped in the cluster listing: object is not an endpoint: it is not a string;/);
  });
});

describe('the construction', () => {
  const fail = (...args: unknown[]): Error =>
    thrownBy(() => translateEndpoints(...(args as Parameters<typeof translateEndpoints>))) as Error;

  it('names all mistakes of a record at once', () => {
    const error = fail(fixed(), {
      'tcp://a:0': 'tcp://b',
      'tcp://b:0': 'tcp://b',
      '*': 'tcp://c',
      'tcp://d': 'tcp://0.0.0.0',
      'http://D:8529/': 'unix:///run/db.sock',
      'tcp://e': 7,
    });
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message.replace(/; allowed schemes[^\n]*/g, '').split('\n')).toEqual([
      'translateEndpoints: the rules have mistakes:',
      '  "tcp://a:0" is not an endpoint: the port is outside 1 to 65535',
      '  "tcp://b:0" is not an endpoint: the port is outside 1 to 65535',
      '  "*" must be the last key, as it takes the rest',
      '  "tcp://0.0.0.0" is not an endpoint: clients cannot connect to a wildcard address',
      expect.stringMatching(/^ {2}"unix:\/\/\/run\/db\.sock" is not an endpoint: /) as string,
      '  two keys name "tcp://d:8529"',
      '  number is not an endpoint: it is not a string',
    ]);
    expect((error.cause as AggregateError).errors).toHaveLength(7);
  });

  it.each<[string, unknown[], string]>([
    [
      'a directory in the place of its provider',
      [{ provider: fixed(), status: fixed() }, {}],
      'the provider must be a function, got a directory: pass directory.provider',
    ],
    ['a list', [[INSIDE_1], {}], 'the provider must be a function, got an array'],
    ['no rules', [fixed()], 'the rules must be a plain object or a function, got undefined'],
    ['a Map of rules', [fixed(), new Map()], 'the rules must be a plain object or a function, got object'],
    ['an unknown option', [fixed(), {}, { unmached: 'keep' }], 'unknown option "unmached", did you mean unmatched?'],
    ['a wrong option', [fixed(), {}, { unmatched: 'drop' }], "option unmatched must be 'skip' or 'keep', got \"drop\""],
  ])('refuses %s', (_what, args, message) => {
    const error = fail(...args);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`translateEndpoints: ${message}`);
  });
});
