import dns from 'node:dns/promises';
import type { Socket } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { createListHandler } from '../../lib/cli/serve/host-application.js';
import { checkEndpoints, fetchEndpoints } from '../../lib/client/index.js';
import { createPolledDirectory } from '../../lib/directory/index.js';
import { createSrvDirectory } from '../../lib/dns-srv/index.js';
import { createHealthDirectory } from '../../lib/health/index.js';
import { createEndpointRouter } from '../../lib/index.js';
import { createListingPage } from '../../lib/page/index.js';
import { startTestCluster } from '../../lib/testing/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { ListedServers } from '../support/check/listed-servers.js';
import { turnedClock } from '../support/turned-clock.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const clock = turnedClock();
const none = (): Promise<never> => Promise.reject(new Error('not sent'));
const soon = (): Promise<string[]> => Promise.resolve([A]);
const LISTING = { error: false, code: 200, endpoints: [{ endpoint: A }] };

/** Over with the first check. */
async function checked(endpoint: string): Promise<void> {
  await (await createHealthDirectory({ endpoints: [endpoint] })).close();
}

/** Opened, and closed after one poll. */
async function polledOnce(opening: Promise<{ close(): Promise<void> }>): Promise<void> {
  const directory = await opening;
  await clock.turn(5000);
  await directory.close();
}

describe('The delays that are asked for where no option says otherwise', () => {
  it.each<[what: string, delays: number[], run: () => Promise<unknown>]>([
    [
      'createEndpointRouter: timeoutMs',
      [5000],
      () => supertest(express().use(createEndpointRouter({ endpoints: soon }))).get('/_api/endpoint'),
    ],
    [
      'createListingPage: timeoutMs',
      [5000],
      () => supertest(express().use(createListingPage({ endpoints: soon }))).get('/'),
    ],
    ['fetchEndpoints: timeoutMs', [5000], () => fetchEndpoints('http://127.0.0.1:1', { fetch: none }).catch(String)],
    ['checkEndpoints: timeoutMs', [2000], () => checkEndpoints('http://127.0.0.1:1').catch(String)],
    [
      'createPolledDirectory: connectTimeoutMs, timeoutMs, pollIntervalMs',
      [5000],
      () => polledOnce(createPolledDirectory({ read: soon })),
    ],
    [
      'the command, which says once a minute how many requests have failed',
      [5000, 60_000],
      () =>
        supertest(express().use(createListHandler('single', { provider: none, log: () => undefined }))).get(
          '/_api/endpoint',
        ),
    ],
    [
      'a test cluster whose coordinator answers late, and one that sends slowly',
      [20, 700],
      async () => {
        const cluster = await startTestCluster({ coordinators: 1 });
        cluster.trouble({ kind: 'delay', milliseconds: 700, times: 1 });
        cluster.trouble({ kind: 'slow-drip', bytes: 40, times: 1 });
        const answered = jest.fn();
        const asking = [0, 1].map(async () => (await fetch(`${cluster.urls.join()}/_api/cluster/endpoints`)).text());
        void Promise.all(asking).then(answered);
        await until('both answers', async () => clock.turn(100).then(() => answered.mock.calls.length > 0));
        await cluster.close();
      },
    ],
  ])('%s: %j', async (_what, delays, run) => {
    await run();
    expect(clock.delays()).toEqual(delays);
  });

  it('createUpstreamDirectory: timeoutMs 1000, connectTimeoutMs and pollIntervalMs 5000', async () => {
    const host = express()
      .get('/_api/cluster/endpoints', (_req, res) => res.json(LISTING))
      .listen(0, '127.0.0.1');
    await new Promise((resolve) => host.once('listening', resolve));
    const { port } = host.address() as { port: number };
    const directory = await createUpstreamDirectory({ servers: [`tcp://127.0.0.1:${String(port)}`] });
    await clock.turn(0);
    await directory.close();
    host.close();
    expect(clock.delays()).toEqual([1000, 5000]);
  });

  it('createSrvDirectory: timeoutMs 1000 and tries 2 of each query; connectTimeoutMs and pollIntervalMs 5000', async () => {
    const resolver = {
      resolveSrv: () => Promise.resolve([{ name: 'a.example', port: 8529 }]),
      cancel: () => undefined,
    };
    const made = jest.spyOn(dns, 'Resolver').mockReturnValue(resolver as never);
    await polledOnce(createSrvDirectory({ name: '_a._tcp.example' }));
    expect(clock.delays()).toEqual([5000]);
    expect(made.mock.calls).toEqual([[{ timeout: 1000, tries: 2 }], [{ timeout: 1000, tries: 2 }]]);
  });
});

describe('The delays that options ask for', () => {
  it('a directory that polls: its first list, each reading, the wait between two, and how long it is served', async () => {
    const lists = [soon(), soon()];
    const directory = await createPolledDirectory({
      read: () => lists.shift() ?? none(),
      connectTimeoutMs: 7000,
      timeoutMs: 3000,
      pollIntervalMs: 2000,
      maxStaleMs: 10_000,
    });
    expect(clock.delays()).toEqual([2000, 3000, 7000]);
    // Asked at 2000 for the last list that it has got; the next poll fails.
    await clock.turn(4000);
    expect(directory.status()).toMatchObject({ state: 'stale', ageMs: 2000 });
    await clock.turn(7999);
    expect(directory.provider()).toEqual([A]);
    await clock.turn(1);
    expect(directory.status()).toMatchObject({ state: 'expired', ageMs: 10_000 });
    await directory.close();
  });

  it('without maxStaleMs, the last list is served for 15 minutes', async () => {
    const lists = [soon()];
    const directory = await createPolledDirectory({ read: () => lists.shift() ?? none() });
    const expired = jest.fn();
    directory.on('expired', expired);
    await clock.turn(899_999);
    expect([directory.provider(), expired.mock.calls]).toEqual([[A], []]);
    await clock.turn(1);
    expect(directory.status().state).toBe('expired');
    await clock.turn(1);
    expect(expired).toHaveBeenCalledTimes(1);
    await directory.close();
  });
});

describe('A server that sends a few bytes now and then', () => {
  const BEGINNING = ['HTTP/1', '.1', ' 2'];
  const ANSWER = [...BEGINNING, '00 OK\r\nContent-Type: application/json\r\n', 'Content-Length: 9\r\n\r\n', ' ', ' '];

  it.each<[who: string, ms: number, sent: string[], ask: (endpoint: string) => Promise<unknown>]>([
    ['fetchEndpoints', 5000, ANSWER, fetchEndpoints],
    ['checkEndpoints', 2000, ANSWER, checkEndpoints],
    ['createUpstreamDirectory', 1000, ANSWER, (endpoint) => createUpstreamDirectory({ servers: [endpoint] })],
    ['createHealthDirectory', 1000, BEGINNING, checked],
  ])('is given up by %s after %i ms', async (_who, ms, sent, ask) => {
    const servers = new ListedServers();
    const sockets: Socket[] = [];
    const endpoint = await servers.connections((socket) => sockets.push(socket.on('error', () => undefined).resume()));
    const over = jest.fn();
    void ask(endpoint).then(over, over);
    await until('it has asked', () => sockets.some(({ bytesRead }) => bytesRead > 0));
    for (const bytes of sent) {
      for (const socket of sockets) socket.write(bytes);
      await clock.turn(100);
    }
    await clock.turn(ms - 100 * sent.length - 1);
    expect(over).not.toHaveBeenCalled();
    await clock.turn(1);
    await until('it is given up', () => over.mock.calls.length > 0);
    await servers.close();
  });
});
