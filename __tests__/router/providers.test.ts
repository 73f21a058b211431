import supertest from 'supertest';
import type { EndpointProvider, EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const CLUSTER = '/_api/cluster/endpoints';

/** Asks the cluster route of a coordinator with this provider, and collects what the host was told. */
async function ask(
  endpoints: unknown,
  options: Partial<EndpointRouterOptions> = {},
): Promise<{ status: number; text: string; reported: Error[] }> {
  const reported: Error[] = [];
  const server = serverOf({
    role: 'coordinator',
    endpoints: endpoints as EndpointProvider,
    onError: (error) => reported.push(error),
    ...options,
  });
  const { status, text } = await supertest(server).get(CLUSTER);
  return { status, text, reported };
}

const A_AND_B = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"},{"endpoint":"tcp://b:2"}]}';
const INTERNAL_ERROR = '{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}';

const rejections: unknown[] = [];
const collect = (reason: unknown): void => {
  rejections.push(reason);
};
beforeAll(() => process.on('unhandledRejection', collect));
afterAll(() => {
  process.off('unhandledRejection', collect);
  expect(rejections).toEqual([]);
});

describe('A provider may give', () => {
  const list = ['tcp://a:1', 'tcp://b:2'];
  function* generator(): Generator<string> {
    yield* list;
  }
  const iterable: Iterable<string> = { [Symbol.iterator]: () => list[Symbol.iterator]() };
  const thenable = {
    then(resolve: (value: string[]) => void) {
      resolve(list);
    },
  };

  it.each<[string, unknown]>([
    ['an array', () => list],
    ['a frozen array', () => Object.freeze([...list])],
    ['a Set', () => new Set(list)],
    ['a generator', generator],
    ['an iterable of its own make', () => iterable],
    ['a promise of an array', () => Promise.resolve(list)],
    ['a promise of a Set', async () => Promise.resolve(new Set(list))],
    ['a promise of a generator', () => Promise.resolve(generator())],
    ['a thenable', () => thenable],
    [
      'an array of another realm',
      () => Object.setPrototypeOf([...list], Object.create(Array.prototype) as object) as unknown,
    ],
  ])('%s', async (_what, provider) => {
    expect(await ask(provider)).toEqual({ status: 200, text: A_AND_B, reported: [] });
  });
});

describe('A provider that gives anything but a list of strings is a 500 / 4, whose cause says what it gave', () => {
  const midway = {
    *[Symbol.iterator](): Generator<string> {
      yield 'tcp://a:1';
      throw new Error('midway');
    },
  };
  it.each<[string, unknown, string]>([
    ['a string', 'tcp://root:pass@a:1', "the provider gave 'tcp://***@a:1', not a list of strings"],
    ['an empty string', '', "the provider gave '', not a list of strings"],
    ['null', null, 'the provider gave null, not a list of strings'],
    ['undefined', undefined, 'the provider gave undefined, not a list of strings'],
    ['a number', 8529, 'the provider gave 8529, not a list of strings'],
    ['true', true, 'the provider gave true, not a list of strings'],
    ['a function', () => [], 'the provider gave [Function (anonymous)], not a list of strings'],
    ['an object', { endpoints: [] }, 'the provider gave { endpoints: [] }, not a list of strings'],
    ['an empty Map', new Map(), 'the provider gave Map(0) {}, not a list of strings'],
    ['a Map', new Map([['tcp://a:1', 1]]), "the provider gave Map(1) { 'tcp://a:1' => 1 }, not a list of strings"],
    ['an object of objects', { a: { b: {} } }, 'the provider gave { a: [Object] }, not a list of strings'],
    [
      'a long string',
      'x'.repeat(120),
      `the provider gave '${'x'.repeat(100)}'... 20 more characters, not a list of strings`,
    ],
    ['an iterable that throws midway', midway, 'midway'],
    ['an array of numbers', [1, 2], 'none of the endpoints that the provider gave can be listed'],
    ['an array of objects', [{ endpoint: 'tcp://a:1' }], 'none of the endpoints that the provider gave can be listed'],
    ['an array with a hole', new Array(1), 'none of the endpoints that the provider gave can be listed'],
    // Hidden, because Node 24 prints it in another way than Node 20.
    [
      'a broken iterator',
      Object.defineProperty({}, Symbol.iterator, { value: 1 }),
      'the provider gave {}, not a list of strings',
    ],
  ])('%s', async (_what, value, message) => {
    for (const provider of [() => value, () => Promise.resolve(value)]) {
      const { status, text, reported } = await ask(provider);
      expect([status, text]).toEqual([500, INTERNAL_ERROR]);
      expect(reported.map(({ cause }) => (cause as Error).message)).toEqual([message]);
    }
  });

  it.each<[string, () => unknown, string]>([
    [
      'an iterable without end',
      function* () {
        for (;;) yield 'tcp://a:1';
      },
      'the provider gave more than 100000 endpoints',
    ],
    [
      'an async generator',
      async function* () {
        yield await Promise.resolve('tcp://a:1');
      },
      'the provider gave Object [AsyncGenerator] {}, not a list of strings',
    ],
  ])('%s', async (_what, provider, message) => {
    const { status, reported } = await ask(provider);
    expect([status, reported.map(({ cause }) => (cause as Error).message)]).toEqual([500, [message]]);
  });

  it('an object whose then cannot be read', async () => {
    const value = {
      get then(): never {
        throw new Error('trap');
      },
    };
    expect(await ask(() => value)).toMatchObject({ status: 500, text: INTERNAL_ERROR });
  });
});

it.each<[unknown]>([
  [new Error('no')],
  [undefined],
  [null],
  [0],
  [''],
  ['route'],
  ['router'],
  [Symbol('s')],
  [{ status: 200 }],
])('A provider that throws or rejects is a 500 / 4, with what it threw as the cause: %p', async (thrown) => {
  const throws = await ask(() => {
    throw thrown;
  });
  expect(throws).toMatchObject({ status: 500, text: INTERNAL_ERROR });
  expect(throws.reported.map(({ cause }) => cause)).toEqual([thrown]);
  const rejects = await ask(jest.fn().mockRejectedValue(thrown));
  expect(rejects).toMatchObject({ status: 500, text: INTERNAL_ERROR });
  expect(rejects.reported.map(({ cause }) => cause)).toEqual([thrown]);
});

describe('Bad entries among good ones', () => {
  it('are skipped and reported, and the good ones are served', async () => {
    const { status, text, reported } = await ask(() => [
      'tcp://a:1',
      'tcp://0.0.0.0',
      'tcp://b:2',
      42,
      'unix:///s',
      'x',
    ]);
    expect([status, text]).toEqual([200, A_AND_B]);
    const schemes =
      'allowed schemes: tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
    expect(reported.map(({ message }) => message)).toEqual([
      [
        'skipped in the cluster listing:',
        `  "tcp://0.0.0.0" is not an endpoint: clients cannot connect to a wildcard address; ${schemes}`,
        `  "unix:///s" is not an endpoint: a cluster listing has no place for a unix socket; ${schemes}`,
        `  "x" is not an endpoint: it has no "<scheme>://"; ${schemes}`,
        `  number is not an endpoint: it is not a string; ${schemes}`,
      ].join('\n'),
    ]);
  });

  it('are reported once, and again only when they are other ones', async () => {
    const bad: string[] = [];
    let list: string[] = [];
    const server = serverOf({
      role: 'coordinator',
      endpoints: () => list,
      onError: (error) => bad.push(String(error.message.split('"')[1])),
    });
    for (const next of [
      ['tcp://a', 'x1'],
      ['tcp://a', 'x1'],
      ['x1', 'tcp://a', 'tcp://b'],
      ['tcp://a', 'x2'],
      ['tcp://a', 'x2', 'x2'],
      ['tcp://a'],
      ['tcp://a', 'x2'],
    ]) {
      list = next;
      expect((await supertest(server).get(CLUSTER)).status).toBe(200);
    }
    expect(bad).toEqual(['x1', 'x2', 'x2']);
  });

  it('are reported for each listing by itself', async () => {
    const onError = jest.fn();
    const server = serverOf({ role: 'coordinator', endpoints: () => ['tcp://a', 'x'], onError });
    await supertest(server).get(CLUSTER);
    await supertest(server).get('/_api/endpoint');
    expect(onError.mock.calls.map(([error]: [Error]) => error.message.split(':')[0])).toEqual([
      'skipped in the cluster listing',
      'skipped in the server listing',
    ]);
  });

  it.each([
    [20, 21, undefined],
    [25, 22, '  and 5 more'],
  ])('are all printed up to twenty: of %i, %i lines', async (count, lines, rest) => {
    const { reported } = await ask(() => [
      'tcp://a',
      ...Array.from({ length: count }, (_, index) => `x${String(index)}`),
    ]);
    const printed = String(reported[0]?.message).split('\n');
    expect([printed.length, printed.find((line) => line.startsWith('  and'))]).toEqual([lines, rest]);
  });

  it('and no good one: 500 / 4, each time', async () => {
    const { status, text, reported } = await ask(() => ['x', 'tcp://0.0.0.0']);
    expect([status, text, reported.length]).toEqual([500, INTERNAL_ERROR, 1]);
    expect((reported[0]?.cause as AggregateError).errors).toHaveLength(2);
  });
});

describe('The time that a provider takes', () => {
  it('ends at the timeout also when the provider rejects later', async () => {
    let fail: (reason: Error) => void = () => undefined;
    const pending = new Promise<string[]>((_resolve, reject) => {
      fail = reject;
    });
    expect(await ask(() => pending, { timeoutMs: 5 })).toMatchObject({ status: 503 });
    fail(new Error('late'));
    await expect(pending).rejects.toThrow('late');
  });

  it('aborts the signal with a TimeoutError, also for a provider that reads it later', async () => {
    const signals: AbortSignal[] = [];
    let query: Parameters<EndpointProvider>[0] | undefined;
    const endpoints: EndpointProvider = (asked) => {
      query = asked;
      if (signals.length === 0) signals.push(asked.signal);
      return new Promise<string[]>(() => undefined);
    };
    await ask(endpoints, { timeoutMs: 5 });
    await ask(endpoints, { timeoutMs: 5 });
    if (query !== undefined) signals.push(query.signal);
    expect(signals.map(({ aborted, reason }) => [aborted, (reason as Error).name])).toEqual([
      [true, 'TimeoutError'],
      [true, 'TimeoutError'],
    ]);
  });

  it('leaves the signal of a provider in time alone', async () => {
    const signals: AbortSignal[] = [];
    await ask(async ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return Promise.resolve([]);
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

it.each<[string, ('resolve' | 'reject' | 'throw')[], number]>([
  ['with two lists: the first counts', ['resolve', 'resolve'], 200],
  ['with a list and an error: the list counts', ['resolve', 'reject'], 200],
  ['with an error and a list: the error counts', ['reject', 'resolve'], 500],
  ['with a list, and throws: the list counts', ['resolve', 'throw'], 200],
])('A provider that calls back twice, %s', async (_what, steps, status) => {
  const lists = [['tcp://a:1', 'tcp://b:2'], ['tcp://c:3']];
  const then = (resolve: (value: unknown) => void, reject: (reason: unknown) => void): void => {
    for (const step of steps) {
      if (step === 'resolve') resolve(lists.shift());
      else if (step === 'reject') reject(new Error('x'));
      else throw new Error('x');
    }
  };
  expect(await ask(() => ({ then }))).toMatchObject({ status, text: status === 200 ? A_AND_B : INTERNAL_ERROR });
});
