import express, { type RequestHandler } from 'express';
import { createHook } from 'node:async_hooks';
import supertest from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { countConstructions } from '../support/router/constructions.js';
import { serve } from '../support/router/host.js';

const SERVER = '/_api/endpoint';

/** What was made between the arrival of one request at the router and the router's return. */
interface Made {
  /** Promises, sockets and the like, by the name that `node:async_hooks` gives them. */
  readonly resources: string[];
  readonly timers: number;
  readonly abortControllers: number;
  readonly urls: number;
}

/** Sends one request to a router, and tells what was made for it. */
async function madeFor(options: EndpointRouterOptions, path = SERVER, method = 'GET'): Promise<Made> {
  const resources: string[] = [];
  // What Node itself does: the rest of an answer waits for the next tick, and a timer renews the Date header every second.
  const hook = createHook({ init: (_id, type) => type === 'TickObject' || type === 'Timeout' || resources.push(type) });
  const made = { resources, timers: 0, abortControllers: 0, urls: 0 };
  const watched: RequestHandler = (_req, _res, next) => {
    const abortControllers = countConstructions('AbortController');
    const urls = countConstructions('URL');
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    hook.enable();
    next();
    hook.disable();
    made.timers = setTimer.mock.calls.length;
    setTimer.mockRestore();
    abortControllers.stop();
    urls.stop();
    made.abortControllers = abortControllers.count;
    made.urls = urls.count;
  };
  const app = express().use(watched, createEndpointRouter(options));
  await supertest(serve(app))[method === 'GET' ? 'get' : 'delete'](path);
  return made;
}

const NOTHING: Made = { resources: [], timers: 0, abortControllers: 0, urls: 0 };

describe('No promise, timer, URL or AbortController is made for a request', () => {
  const endpoints = ['tcp://a'];
  it.each<[string, EndpointRouterOptions, path?: string, method?: string]>([
    ['that is answered from a fixed list', { endpoints }],
    ['that is answered by a provider that answers at once', { endpoints: () => ['tcp://a'] }],
    ['that is answered by a provider that gives a Set', { endpoints: () => new Set(['tcp://a']) }],
    ['in another database than the one that answers', { endpoints }, `/_db/other${SERVER}`],
    ['that names its database', { endpoints }, `/_db/_system${SERVER}`],
    ['with a method that is not allowed', { endpoints }, SERVER, 'DELETE'],
    ['that a server refuses which is no coordinator', { endpoints }, '/_api/cluster/endpoints'],
  ])('%s', async (_what, options, ...[path, method]) => {
    expect(await madeFor(options, path, method)).toEqual(NOTHING);
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

describe('The signal of a query', () => {
  it('is the same each time that it is read', async () => {
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
});
