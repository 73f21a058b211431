import express, { type RequestHandler, type Response } from 'express';
import createError from 'http-errors';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { openConnection } from '../support/hostile/connection.js';
import { coalesce, createEndpointRouter, type EndpointProvider, type EndpointQuery } from '../../lib/index.js';
import { nodeWarnings } from '../support/process/node-warnings.js';
import { KEEP_ALIVE_SECONDS, serve, serverOf, usualAnswer } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';
import { until } from '../support/until.js';

const REQUEST = 'GET /_api/endpoint HTTP/1.1\r\nHost: localhost\r\n\r\n';
const PIPELINED = 20;

/** A host whose provider settles only when its signal aborts, as it is told to. */
async function openHost(before: RequestHandler[] = [], list = (): Promise<string[]> => Promise.resolve([])) {
  const responses: (Response | undefined)[] = [];
  const onError = jest.fn();
  const counts = { asked: 0, aborted: 0 };
  const steps = new Map<string, () => void>();
  const count = (name: keyof typeof counts): void => {
    counts[name] += 1;
    steps.get(`${name} ${String(counts[name])}`)?.();
  };
  const endpoints = ({ signal, req }: Pick<EndpointQuery, 'signal'> & Partial<EndpointQuery>): Promise<string[]> =>
    new Promise((resolve) => {
      responses.push(req?.res);
      signal.addEventListener('abort', () => {
        count('aborted');
        resolve(list());
      });
      count('asked');
    });
  const app = express();
  app.use(...before, (_req, _res, next) => next());
  app.use('/shared', createEndpointRouter({ endpoints: coalesce(endpoints), timeoutMs: Infinity }));
  app.use(createEndpointRouter({ endpoints, onError, timeoutMs: 123_456 }));
  const server = serve(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    responses,
    onError,
    /** Resolves when the provider has been asked, or its signal has aborted, so many times. */
    reaches: (name: keyof typeof counts, times: number): Promise<void> =>
      counts[name] >= times
        ? Promise.resolve()
        : new Promise((resolve) => steps.set(`${name} ${String(times)}`, resolve)),
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const consumeBody: RequestHandler = (req, _res, next) => {
  req.resume().once('close', next);
};

describe('a client that leaves while the provider is at work', () => {
  const warnings = nodeWarnings();
  afterEach(async () => {
    expect(await warnings()).toEqual([]);
  });

  it('would be heard of, if Node warned of a leak', async () => {
    const emitter = new EventEmitter().setMaxListeners(1);
    emitter.on('close', jest.fn()).on('close', jest.fn());
    expect(await warnings()).toEqual([expect.stringContaining('Possible EventEmitter memory leak detected. 2 close')]);
  });

  describe.each([
    { how: 'closes the connection', leave: (socket: Socket) => socket.destroy() },
    { how: 'resets the connection', leave: (socket: Socket) => socket.resetAndDestroy() },
    { how: 'sends no more', leave: (socket: Socket) => socket.end() },
  ])('and $how', ({ leave }) => {
    it('aborts the signal', async () => {
      const host = await openHost();
      const client = await openConnection(host.port);
      client.write(REQUEST);
      await host.reaches('asked', 1);

      leave(client);
      await host.reaches('aborted', 1);

      await host.close();
      expect(host.counts).toEqual({ asked: 1, aborted: 1 });
    });

    it.each([
      { requests: 'pipelined requests', before: [] },
      { requests: 'pipelined requests whose bodies the host has read', before: [consumeBody] },
    ])('aborts the signal of each of its $requests', async ({ before }) => {
      const host = await openHost(before);
      const client = await openConnection(host.port);
      client.write(REQUEST.repeat(PIPELINED));
      await host.reaches('asked', PIPELINED);

      leave(client);
      await host.reaches('aborted', PIPELINED);

      await host.close();
      expect(host.counts).toEqual({ asked: PIPELINED, aborted: PIPELINED });
    });
  });

  it.each<[what: string, list: () => Promise<string[]>]>([
    ['answers', () => Promise.resolve(['tcp://a'])],
    ['fails', () => Promise.reject(new Error('x'))],
  ])(
    'is answered nothing, and nothing is reported or left behind, when the provider %s at last',
    async (_what, list) => {
      const started = jest.spyOn(globalThis, 'setTimeout');
      const cleared = jest.spyOn(globalThis, 'clearTimeout');
      const host = await openHost([], list);
      const client = await openConnection(host.port);
      client.write(REQUEST);
      await host.reaches('asked', 1);
      client.destroy();
      await host.reaches('aborted', 1);
      await new Promise(setImmediate);

      const timers = started.mock.results.filter((_result, call) => started.mock.calls[call]?.[1] === 123_456);
      expect(timers).toHaveLength(1);
      expect(cleared).toHaveBeenCalledWith(timers[0]?.value);
      jest.restoreAllMocks();
      expect(host.responses).toMatchObject([{ headersSent: false, writableEnded: false }]);
      expect(host.responses[0]?.listeners('close').map(({ name }) => name)).not.toContain('leave');
      expect(host.onError).not.toHaveBeenCalled();
      await host.close();
    },
  );

  it('leaves a shared call to the others, and aborts it as the last one', async () => {
    const host = await openHost();
    const clients = await Promise.all(Array.from({ length: PIPELINED }, () => openConnection(host.port)));
    const request = REQUEST.replace('/_api', '/shared/_api');
    const other = REQUEST.replace('/_api', '/_db/_system/_api');
    for (const client of clients) client.write(request);
    await host.reaches('asked', 1);

    for (const client of clients.slice(1)) client.destroy();
    const last = await openConnection(host.port);
    last.write(other);
    await host.reaches('asked', 2);
    last.destroy();
    await host.reaches('aborted', 1);
    clients[0]?.destroy();
    await host.reaches('aborted', 2);

    await host.close();
    expect(host.counts).toEqual({ asked: 2, aborted: 2 });
  });

  it('is waited for by as many routers as a host has, without a warning of a leak', async () => {
    const app = express();
    const held: ((list: string[]) => void)[] = [];
    const endpoints = (): Promise<string[]> => new Promise((resolve) => held.push(resolve));
    for (let index = 0; index < 15; index += 1) app.use(`/v${String(index)}`, createEndpointRouter({ endpoints }));
    const server = serve(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await openConnection((server.address() as AddressInfo).port);
    const requests = Array.from({ length: 15 }, (_, index) => REQUEST.replace('/_api', `/v${String(index)}/_api`));
    client.write(requests.join(''));
    while (held.length < 15) await new Promise(setImmediate);

    for (const answer of held) answer([]);
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is watched by one listener on its connection, from the second request on, for as long as the provider is at work', async () => {
    const seen: { signal: AbortSignal; connection: Socket; listeners: number }[] = [];
    const endpoints: EndpointProvider = async ({ signal, req: { socket } }) => {
      seen.push({ signal, connection: socket, listeners: socket.listenerCount('close') });
      await until('all are asked', () => seen.length === 4);
      return [];
    };

    await rawAnswer(serverOf({ endpoints }), REQUEST.repeat(3) + request('GET', '/_api/endpoint'));

    await until('the connection is closed', () => seen[0]?.connection.closed === true);
    const before = Number(seen[0]?.listeners);
    expect(seen.map(({ listeners }) => listeners - before)).toEqual([0, 0, 1, 1]);
    expect(seen.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false]);
  });

  it('costs no call of the provider for a request whose answer the host has destroyed before its turn', async () => {
    let requests = 0;
    const host = await openHost([
      (_req, res, next) => {
        requests += 1;
        if (requests === 2) res.destroy();
        next();
      },
    ]);
    const client = await openConnection(host.port);
    client.write(REQUEST.repeat(2));
    await host.reaches('asked', 1);
    client.destroy();
    await host.reaches('aborted', 1);

    await host.close();
    expect([requests, host.counts]).toEqual([2, { asked: 1, aborted: 1 }]);
  });

  it('before the router is reached costs no call of the provider', async () => {
    const held: (() => void)[] = [];
    const arrival = new EventEmitter();
    const host = await openHost([
      (req, _res, next) => {
        held.push(next);
        if (held.length === 2) arrival.emit('both', req.socket);
      },
    ]);
    const bothArrived = once(arrival, 'both') as Promise<[Socket]>;
    const client = await openConnection(host.port);
    client.write(REQUEST.repeat(2));
    const [connection] = await bothArrived;
    const closed = once(connection, 'close');

    client.destroy();
    await closed;
    for (const next of held) next();

    await host.close();
    expect(host.counts).toEqual({ asked: 0, aborted: 0 });
  });
});

it.each([0, 20_000])(
  'A pipelined request that expects 100 Continue, behind one that is not answered yet, gets its answer whole, and behind the 100, also a long one: %i more characters',
  async (more) => {
    const endpoints: EndpointProvider = async ({ req }) => {
      if (req.headers.expect !== undefined) throw createError(404, `gr\u00f6\u00dfer als 5 \u20ac${'!'.repeat(more)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return ['tcp://10.0.0.1:8529'];
    };
    const expecting = request('GET', '/_api/endpoint', 'Expect: 100-continue');

    const answer = await rawAnswer(serverOf({ endpoints }), REQUEST + expecting);

    const first = await usualAnswer({ endpoints }, request('GET', '/_api/endpoint'));
    const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${String(KEEP_ALIVE_SECONDS)}\r\n`;
    const second = (await usualAnswer({ endpoints }, expecting)).replace('HTTP/1.1 100 Continue\r\n\r\n', '');
    expect(answer.replace(/Date: .*\r\n/, '')).toBe(
      `${first.replace('Connection: close\r\n', kept)}HTTP/1.1 100 Continue\r\n\r\n${second}`,
    );
    expect(second).toMatch(/^HTTP\/1\.1 404 .*größer als 5 €/s);
  },
);
