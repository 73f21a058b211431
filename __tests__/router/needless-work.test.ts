import express, { type RequestHandler } from 'express';
import { createHook } from 'node:async_hooks';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { countConstructions } from '../support/router/constructions.js';
import { serve } from '../support/router/host.js';

const SERVER = '/_api/endpoint';
const CLUSTER = '/_api/cluster/endpoints';

/** What was made between the arrival of one request at the router and the router's return. */
interface Made {
  /** Promises, sockets and the like, by the name that `node:async_hooks` gives them. */
  readonly resources: string[];
  readonly timers: number;
  readonly abortControllers: number;
  readonly urls: number;
  readonly errors: number;
  readonly stackTraces: number;
}

const NOTHING: Made = { resources: [], timers: 0, abortControllers: 0, urls: 0, errors: 0, stackTraces: 0 };

/** Sends one request to a router, and tells what was made for it. */
async function madeFor(options: EndpointRouterOptions, path = SERVER, method = 'GET'): Promise<Made> {
  const resources: string[] = [];
  // What Node itself does: the rest of an answer waits for the next tick, and a timer renews the Date header every second.
  const hook = createHook({ init: (_id, type) => type === 'TickObject' || type === 'Timeout' || resources.push(type) });
  const made = { ...NOTHING, resources };
  const watched: RequestHandler = (_req, _res, next) => {
    const abortControllers = countConstructions('AbortController');
    const urls = countConstructions('URL');
    const errors = countConstructions('Error');
    const captures = jest.spyOn(Error, 'captureStackTrace');
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    hook.enable();
    next();
    hook.disable();
    const [timers, stackTraces] = [setTimer, captures].map(({ mock: { calls } }) => calls.length);
    jest.restoreAllMocks();
    for (const counting of [abortControllers, urls, errors]) counting.stop();
    const counts = { abortControllers: abortControllers.count, urls: urls.count, errors: errors.count };
    Object.assign(made, { timers, stackTraces, ...counts });
  };
  const app = express().use(watched, createEndpointRouter(options));
  await supertest(serve(app))[method === 'GET' ? 'get' : 'delete'](path);
  return made;
}

describe('No promise, timer, URL, AbortController, error or stack trace is made for a request', () => {
  const endpoints = ['tcp://a'];
  it.each<[string, EndpointRouterOptions, path?: string, method?: string]>([
    ['that is answered from a fixed list', { endpoints }],
    ['that is answered by a provider that answers at once', { endpoints: () => ['tcp://a'] }],
    ['that is answered by a provider that gives a Set', { endpoints: () => new Set(['tcp://a']) }],
    ['in another database than the one that answers', { endpoints }, `/_db/other${SERVER}`],
    ['of the cluster route in another database', { endpoints }, `/_db/other${CLUSTER}`],
    ['in a database whose name cannot be decoded', { endpoints }, `/_db/%zz${SERVER}`],
    ['that names its database', { endpoints }, `/_db/_system${SERVER}`],
    ['with a method that is not allowed', { endpoints }, SERVER, 'DELETE'],
    ['to the cluster route with a method that is not allowed', { endpoints }, CLUSTER, 'DELETE'],
    ['that a server refuses which is no coordinator', { endpoints }, CLUSTER],
    ['that it refuses so for old clients', { endpoints, notCoordinatorStatus: 403 }, CLUSTER],
  ])('%s', async (_what, options, ...[path, method]) => {
    expect(await madeFor(options, path, method)).toEqual(NOTHING);
  });

  it('while an error of the provider has a stack trace', async () => {
    const failing = (): never => {
      throw new Error('down');
    };
    const { errors, stackTraces } = await madeFor({ endpoints: failing, onError: () => undefined });
    expect([errors, stackTraces > 0]).toEqual([2, true]);
  });
});

describe('A request whose provider has to be waited for', () => {
  it.each([
    ['one timer, and no AbortController unless its signal is read', {}, 1],
    ['no timer without a limit', { timeoutMs: Infinity }, 0],
  ])('is given %s', async (_what, options, timers) => {
    const made = await madeFor({ endpoints: () => Promise.resolve(['tcp://a']), ...options });
    expect(made).toMatchObject({ timers, abortControllers: 0, urls: 0 });
    expect(made.resources).toContain('PROMISE');
  });

  it('is given one AbortController when its signal is read, however often', async () => {
    const made = await madeFor({
      endpoints: async (query) => {
        query.signal.throwIfAborted();
        await Promise.resolve();
        return query.signal.aborted ? [] : ['tcp://a'];
      },
    });
    expect(made.abortControllers).toBe(1);
  });
});

it('The signal of a query is the same each time that it is read', async () => {
  let isSame = false;
  await madeFor({
    endpoints: (query) => {
      const { signal } = query;
      isSame = signal === query.signal;
      return [];
    },
  });
  expect(isSame).toBe(true);
});
