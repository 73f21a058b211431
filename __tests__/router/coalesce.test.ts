import supertest from 'supertest';
import {
  coalesce,
  type EndpointProvider,
  type EndpointQuery,
  type EndpointRouterOptions,
  type SharedEndpointQuery,
} from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';
import { until } from '../support/until.js';
import { once } from 'node:events';
import type { Server } from 'node:http';

/** A provider whose every call is settled by hand. */
function controlled(): {
  calls: (SharedEndpointQuery & { resolve: (list: Iterable<string>) => void; reject: (error: Error) => void })[];
  provider: (query: SharedEndpointQuery) => Promise<Iterable<string>>;
} {
  const calls: ReturnType<typeof controlled>['calls'] = [];
  return {
    calls,
    provider: (query) =>
      new Promise((resolve, reject) => {
        calls.push({ ...query, resolve, reject });
      }),
  };
}

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

async function listen(options: EndpointRouterOptions): Promise<void> {
  const started = (server = serverOf({ timeoutMs: 60_000, ...options }));
  await once(started.listen(0, '127.0.0.1'), 'listening');
}

/** Starts one request and lets it reach the provider. */
const get = (path: string): Promise<supertest.Response> => Promise.resolve(supertest(server ?? '').get(path));

/** What the router asks, for calls of a provider without a router. */
function query(signal: AbortSignal, database = '_system'): EndpointQuery {
  return { listing: 'server', database, signal } as unknown as EndpointQuery;
}

/** How many requests have reached the router. */
function counting(provider: EndpointProvider) {
  const counter = {
    asked: 0,
    endpoints: ((query) => {
      counter.asked += 1;
      return provider(query);
    }) as EndpointProvider,
  };
  return counter;
}

describe('coalesce(provider)', () => {
  it('shares one running call among the concurrent requests for one listing', async () => {
    const { calls, provider } = controlled();
    const counter = counting(coalesce(provider));
    await listen({ endpoints: counter.endpoints });
    const answers = Promise.all(Array.from({ length: 20 }, () => get('/_api/endpoint')));
    await until('they are there', () => counter.asked === 20);
    expect(calls).toHaveLength(1);
    calls[0]?.resolve(['tcp://a']);
    expect(new Set((await answers).map(({ text }) => text))).toEqual(new Set(['[{"endpoint":"http://a:8529"}]']));
  });

  it('starts a new call for the next request: nothing is remembered', async () => {
    let calls = 0;
    await listen({
      endpoints: coalesce(() => Promise.resolve([`tcp://a:${String((calls += 1))}`])),
    });
    expect((await get('/_api/endpoint')).text).toBe('[{"endpoint":"http://a:1"}]');
    expect((await get('/_api/endpoint')).text).toBe('[{"endpoint":"http://a:2"}]');
  });

  it('shares a failure too, and does not remember it', async () => {
    const { calls, provider } = controlled();
    const counter = counting(coalesce(provider));
    await listen({ endpoints: counter.endpoints, onError: () => undefined });
    const answers = Promise.all([get('/_api/endpoint'), get('/_api/endpoint')]);
    await until('they are there', () => counter.asked === 2);
    calls[0]?.reject(new Error('x'));
    expect((await answers).map(({ status }) => status)).toEqual([500, 500]);
    const next = get('/_api/endpoint');
    await until('they are there', () => calls.length === 2);
    calls[1]?.resolve([]);
    expect((await next).status).toBe(200);
  });

  it('keeps the listings, and the databases, apart', async () => {
    const { calls, provider } = controlled();
    await listen({ role: 'coordinator', clusterDatabases: 'any', endpoints: coalesce(provider) });
    const answers = Promise.all(
      ['/_api/endpoint', '/_api/cluster/endpoints', '/_db/other/_api/cluster/endpoints'].map((path) => get(path)),
    );
    await until('they are there', () => calls.length === 3);
    // Of the request of one client, the call of many sees nothing.
    expect(Object.keys(calls[0] ?? {}).sort()).toEqual(['database', 'listing', 'reject', 'resolve', 'signal']);
    for (const { listing, database, resolve } of calls) resolve([`tcp://${listing}-${database.replace('_', '')}`]);
    expect((await answers).map(({ text }) => text)).toEqual([
      '[{"endpoint":"http://server-system:8529"}]',
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://cluster-system:8529"}]}',
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://cluster-other:8529"}]}',
    ]);
  });

  it('lets every waiting request read a list that can be read only once', async () => {
    const counter = counting(
      coalesce(async () => {
        await until('they are there', () => counter.asked === 3);
        return (function* () {
          yield 'tcp://a';
        })();
      }),
    );
    await listen({ endpoints: counter.endpoints });
    const answers = await Promise.all([get('/_api/endpoint'), get('/_api/endpoint'), get('/_api/endpoint')]);
    expect(answers.map(({ text }) => text)).toEqual(Array(3).fill('[{"endpoint":"http://a:8529"}]'));
  });

  it('passes on what a sync provider gives, throws, or rubbish', async () => {
    const giving = jest.fn<unknown, []>(() => ['tcp://a']);
    await listen({ endpoints: coalesce(giving as () => string[]), onError: () => undefined });
    expect((await get('/_api/endpoint')).text).toBe('[{"endpoint":"http://a:8529"}]');
    giving.mockImplementation(() => {
      throw new Error('x');
    });
    expect((await get('/_api/endpoint')).status).toBe(500);
    giving.mockImplementation(() => Promise.resolve('tcp://a'));
    expect((await get('/_api/endpoint')).status).toBe(500);
  });

  it('lets each request time out by itself, and aborts the shared call when all have', async () => {
    const { calls, provider } = controlled();
    await listen({ endpoints: coalesce(provider), timeoutMs: 20, onError: () => undefined });
    const answers = await Promise.all([get('/_api/endpoint'), get('/_api/endpoint')]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    await until('they are there', () => calls.every(({ signal }) => signal.aborted));
    expect((calls[0]?.signal.reason as Error).name).toBe('TimeoutError');
  });

  it('does not let one hung call hold the listing: after a timeout, a new call is started', async () => {
    const { calls, provider } = controlled();
    const shared = coalesce(provider);
    const impatient = new AbortController();
    const patient = new AbortController();
    void shared(query(impatient.signal));
    void shared(query(patient.signal));
    impatient.abort(new DOMException('too slow', 'TimeoutError'));
    expect(calls[0]?.signal.aborted).toBe(false);
    await listen({ endpoints: shared });
    const answer = get('/_api/endpoint');
    await until('they are there', () => calls.length === 2);
    calls[1]?.resolve(['tcp://a']);
    expect((await answer).text).toBe('[{"endpoint":"http://a:8529"}]');
    patient.abort(new DOMException('gone', 'AbortError'));
    expect(calls[0]?.signal.aborted).toBe(true);
    calls[0]?.resolve([]);
  });

  it('keeps a call for those who wait when one client leaves', async () => {
    const { calls, provider } = controlled();
    const shared = coalesce(provider);
    const leaving = new AbortController();
    void shared(query(leaving.signal));
    const counter = counting(shared);
    await listen({ endpoints: counter.endpoints });
    const answer = get('/_api/endpoint');
    await until('they are there', () => counter.asked === 1);
    leaving.abort(new DOMException('gone', 'AbortError'));
    void shared(query(new AbortController().signal));
    expect([calls.length, calls[0]?.signal.aborted]).toEqual([1, false]);
    calls[0]?.resolve(['tcp://a']);
    expect((await answer).status).toBe(200);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [['tcp://a'], 'an array'],
    ['x', '"x"'],
    [{ provider: () => ['tcp://a'], status: () => 0 }, 'a directory: pass directory.provider'],
  ])('refuses %p', (provider, kind) =>
    expect(() => coalesce(provider as unknown as () => string[])).toThrow(
      new TypeError(`coalesce: the provider must be a function, got ${kind}`),
    ),
  );

  it('gives what a sync provider gives at once, with nothing to wait for, and no array is copied', async () => {
    const list = ['tcp://a'];
    expect(coalesce(() => list)(query(AbortSignal.abort()))).toBe(list);
    expect(await coalesce(() => Promise.resolve(list))(query(AbortSignal.abort()))).toBe(list);
  });

  it('ends at once for a request whose signal has aborted before', () => {
    const { calls, provider } = controlled();
    const shared = coalesce(provider);
    void shared(query(AbortSignal.abort()));
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true]);
    void shared(query(new AbortController().signal));
    void shared(query(AbortSignal.abort()));
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('goes on sharing the new call when the hung one ends at last', async () => {
    const { calls, provider } = controlled();
    const shared = coalesce(provider);
    const impatient = new AbortController();
    const hung = shared(query(impatient.signal));
    impatient.abort(new DOMException('too slow', 'TimeoutError'));
    void shared(query(new AbortController().signal));
    calls[0]?.resolve([]);
    await hung;
    void shared(query(new AbortController().signal));
    expect(calls).toHaveLength(2);
  });

  describe('under clusterDatabases: any, where clients choose the names', () => {
    const anyDatabase = { role: 'coordinator', clusterDatabases: 'any', onError: () => undefined } as const;
    const path = (database: number): string => `/_db/d${String(database)}/_api/cluster/endpoints`;

    it('runs 100 calls at a time, and answers 503 for one more until a call has settled', async () => {
      const { calls, provider } = controlled();
      const reported: unknown[] = [];
      const onError = ({ cause }: Error): unknown => reported.push(cause);
      await listen({ ...anyDatabase, onError, endpoints: coalesce(provider) });
      const answers = Array.from({ length: 100 }, (_, index) => get(path(index)));
      await until('they are there', () => calls.length === 100);
      const refused = await get(path(100));
      expect([refused.status, refused.text]).toEqual([
        503,
        '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}',
      ]);
      expect(reported).toMatchObject([{ message: '100 calls of the provider are running, which is the limit' }]);

      const joined = get(path(1));
      calls[0]?.resolve([]);
      expect((await answers[0])?.status).toBe(200);
      const next = get(path(100));
      await until('they are there', () => calls.length === 101);
      for (const { resolve } of calls) resolve([]);
      expect(new Set((await Promise.all([...answers, joined, next])).map(({ status }) => status))).toEqual(
        new Set([200]),
      );
    });

    it('runs one per listing for all databases where the provider does not tell them apart, and shows it none', async () => {
      const { calls, provider } = controlled();
      const counter = counting(coalesce((query) => provider(query as SharedEndpointQuery), { perDatabase: false }));
      await listen({ ...anyDatabase, endpoints: counter.endpoints });
      const answers = ['/_api/endpoint', ...Array.from({ length: 200 }, (_, index) => path(index))].map(get);
      await until('they are there', () => counter.asked === 201);
      const asked = calls.map((call) => [call.listing, 'database' in call]);
      expect(asked.sort()).toEqual([
        ['cluster', false],
        ['server', false],
      ]);
      for (const { resolve } of calls) resolve(['tcp://a']);
      expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
      expect(calls).toHaveLength(2);
    });

    it('runs as many as maxCalls says, and counts none that was given up: a hung provider does not use up the limit', () => {
      const { calls, provider } = controlled();
      const shared = coalesce(provider, { maxCalls: 1 });
      for (const name of ['a', 'b', 'c']) {
        const leaving = new AbortController();
        void shared(query(leaving.signal, name));
        leaving.abort(new DOMException('too slow', 'TimeoutError'));
      }
      expect(calls).toHaveLength(3);
      void shared(query(new AbortController().signal, 'd'));
      expect(() => shared(query(new AbortController().signal, 'e'))).toThrow('1 calls of the provider are running');
    });

    it.each([
      [{ maxCalls: 0 }, 'coalesce: option maxCalls must be an integer from 1 to 1000000, got 0'],
      [{ perDatabase: 'no' }, 'coalesce: option perDatabase must be true or false, got "no"'],
      [{ max: 1 }, 'coalesce: unknown option "max"; allowed: perDatabase, maxCalls'],
    ])('refuses %p', (options, message) =>
      expect(() => coalesce(() => [], options as object)).toThrow(new TypeError(message)),
    );
  });
});
