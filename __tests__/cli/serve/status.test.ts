import { connect } from 'node:net';
import type { DirectoryStatus } from '../../../lib/directory/directory.js';
import { Status, type Served, type Serving } from '../../../lib/cli/serve/status.js';
import { createTranslatedDirectory, type EndpointDirectory } from '../../../lib/directory/index.js';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { freePort } from '../../support/process/free-port.js';
import { startDnsServer } from '../../support/dns/dns-server.js';
import { until } from '../../support/until.js';

const LIVE: DirectoryStatus = {
  state: 'live',
  ageMs: 0,
  count: 3,
  down: 0,
  skipped: 0,
  relists: 1,
  events: 0,
  entries: [],
};

type Provider = ReturnType<Serving['lists']>[number]['provider'];

let status: Status;
let url: string;

/** Opens the status of a server with this role. */
async function opened(served: Served = { role: 'coordinator', registers: false }): Promise<void> {
  status = new Status(served);
  const [endpoint = ''] = await status.open(['tcp://127.0.0.1:0']);
  url = endpoint.replace('tcp:', 'http:');
}
beforeEach(() => opened());
afterEach(() => status.close());

/** A server whose list stands so. */
function servedBy(list: Partial<DirectoryStatus> = {}, clusterList?: unknown): Serving {
  const directory = { status: () => ({ ...LIVE, ...list }) } as EndpointDirectory;
  const ofCluster = clusterList ?? ['tcp://a:1', 'tcp://b:1', 'tcp://c:1'];
  const provided = typeof ofCluster === 'function' ? (ofCluster as Provider) : () => ofCluster as string[];
  return {
    lists: () => [
      {
        horizon: undefined,
        directory,
        unusedRules: () => 0,
        provider: (query) => (query.listing === 'cluster' ? provided(query) : ['tcp://a:1']),
      },
    ],
  };
}

async function ready(): Promise<[number, unknown]> {
  const answer = await fetch(`${url}/ready`);
  return [answer.status, await answer.json()];
}

/** The samples of some metrics. */
async function metrics(name: RegExp): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('endpoint_listing_') && name.test(line));
}

const shorter = (samples: string[]): string[] => samples.map((line) => line.replace('endpoint_listing_', ''));

describe('GET /live', () =>
  it('is 200 from the start to the end, also while the server waits for its registry', async () => {
    const live = async (): Promise<unknown> => (await fetch(`${url}/live`)).json();
    expect(await live()).toEqual({ live: true, phase: 'starting' });
    status.serving(servedBy({ state: 'expired' }));
    expect(await live()).toEqual({ live: true, phase: 'serving' });
    status.stopping();
    expect(await live()).toEqual({ live: true, phase: 'stopping' });
  }));

describe('GET /ready', () => {
  it('is 503 until the server serves, and once it stops', async () => {
    expect(await ready()).toEqual([503, { ready: false, reason: 'starting' }]);
    status.serving(servedBy());
    const limits = jest.spyOn(AbortSignal, 'timeout');
    expect(await ready()).toEqual([200, { ready: true, listed: 3 }]);
    expect(limits.mock.calls).toEqual([[5000]]);
    limits.mockRestore();
    status.stopping();
    expect(await ready()).toEqual([503, { ready: false, reason: 'stopping' }]);
  });

  it('is 200 for a server without a list of Coordinators', async () => {
    await status.close();
    await opened({ role: 'single', registers: false });
    status.serving(servedBy({}, ['nonsense']));
    expect(await ready()).toEqual([200, { ready: true }]);
  });

  const unmatched = createTranslatedDirectory({ endpoints: ['tcp://a:1'], rules: { 'tcp://x:1': 'tcp://y:1' } });
  const failing = () => Promise.reject(new Error('the store is shut'));
  const odd = () => {
    // A provider may throw anything.
    // prettier-ignore
    throw Object('odd');
  };
  it.each<[what: string, list: Partial<DirectoryStatus>, given: unknown, answer: [number, object]]>([
    ['a stale list, for it is served', { state: 'stale' }, undefined, [200, { ready: true, listed: 3 }]],
    ['an empty one', {}, [], [200, { ready: true, listed: 0 }]],
    ['one with health', { healthy: 2 }, ['tcp://a:1', 'tcp://b:1'], [200, { ready: true, healthy: 2, listed: 2 }]],
    [
      'one of which nothing is healthy, for all of it is served',
      { healthy: 0 },
      undefined,
      [200, { ready: true, healthy: 0, listed: 3 }],
    ],
    [
      'an expired one',
      { state: 'expired' },
      undefined,
      [503, { ready: false, reason: 'the list of coordinators is expired' }],
    ],
    [
      'a closed one',
      { state: 'closed' },
      undefined,
      [503, { ready: false, reason: 'the list of coordinators is closed' }],
    ],
    [
      'one that no rule names',
      {},
      unmatched.provider,
      [
        503,
        {
          ready: false,
          reason: 'everything on the list of coordinators is skipped: "tcp://a:1" is skipped: no rule names it',
        },
      ],
    ],
    [
      'one that the router cannot list',
      {},
      ['nonsense'],
      [503, { ready: false, reason: expect.stringMatching(/^everything .* is skipped: .*nonsense/) as string }],
    ],
    ['a provider that fails', {}, failing, [503, { ready: false, reason: 'the store is shut' }]],
    ['a provider that throws what is no error', {}, odd, [503, { ready: false, reason: 'odd' }]],
  ])('says of %s what the route would answer', async (_what, list, given, answer) => {
    status.serving(servedBy(list, given));
    expect(await ready()).toEqual(answer);
  });
});

describe('GET /metrics', () => {
  it('counts on each listing what the router lists, and 0 while it answers with an error', async () => {
    const balancer = createTranslatedDirectory({
      endpoints: ['tcp://a:1', 'tcp://b:1', 'tcp://c:1'],
      rules: { '*': 'ssl://lb.example:443' },
    });
    const lists: [list: unknown, figure: number][] = [
      [balancer.provider, 1],
      [['tcp://a:8529', 'http://a', 'nonsense'], 1],
      [[], 0],
      [['nonsense'], 0],
      [new Map([['tcp://a:1', 1]]), 0],
      ['tcp://a:1', 0],
    ];
    for (const [list, figure] of lists) {
      status.serving(servedBy({}, list));
      expect(shorter(await metrics(/_endpoints\{/))).toEqual([
        `endpoints{listing="cluster"} ${String(figure)}`,
        'endpoints{listing="server"} 1',
      ]);
    }
  });

  it('is text for Prometheus, and has every series from the start', async () => {
    await status.close();
    await opened({ role: 'coordinator', registers: true });
    const { headers } = await fetch(`${url}/metrics`);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(shorter(await metrics(/_(?:ready|endpoints|all_down|registered|reloads_total|unused_rules)\b/))).toEqual([
      'ready 0',
      'endpoints{listing="cluster"} 0',
      'endpoints{listing="server"} 0',
      'all_down 0',
      'registered 0',
      'reloads_total{result="success"} 0',
      'reloads_total{result="failure"} 0',
      'unused_rules 0',
    ]);
    const lists = servedBy().lists();
    status.serving({ lists: () => lists.map((list) => ({ ...list, unusedRules: () => 2 })), isRegistered: () => true });
    status.reloaded(true);
    status.reloaded(false);
    expect(shorter(await metrics(/_(?:registered|reloads_total|unused_rules)\b/))).toEqual([
      'registered 1',
      'reloads_total{result="success"} 1',
      'reloads_total{result="failure"} 1',
      'unused_rules 2',
    ]);
  });
});

describe('the status endpoint', () =>
  it('knows two paths and two methods', async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/ready?a=1`)).status).toBe(503);
    const post = await fetch(`${url}/ready`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('cache-control')).toBe('no-store');
  }));

describe('--status.endpoint', () => {
  /** The status of a running server, once it is ready. */
  async function withStatus(
    args: readonly string[],
    ask: (server: string, status: string) => Promise<void>,
  ): Promise<void> {
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const all = [...(await anyPort()), '--status.endpoint', endpoint, ...args];
    const { exitCode } = await runUntilAsked(all, (server) => ask(server, endpoint.replace('tcp:', 'http:')));
    expect(exitCode).toBe(0);
    await expect(fetch(`${endpoint.replace('tcp:', 'http:')}/ready`)).rejects.toThrow('fetch failed');
  }

  const samples = async (status: string): Promise<string[]> => {
    const text = await (await fetch(`${status}/metrics`)).text();
    return text.split('\n').filter((line) => !line.startsWith('#'));
  };

  it('has a port of its own, where the listings are not, and the other way round', async () => {
    await withStatus([], async (server, status) => {
      expect((await fetch(`${status}/ready`)).status).toBe(200);
      expect((await fetch(`${status}/_api/endpoint`)).status).toBe(404);
      expect((await samples(status)).filter((line) => line.includes('_endpoints{'))).toEqual([
        'endpoint_listing_endpoints{listing="server"} 1',
      ]);
      expect((await fetch(`${server}/ready`)).status).toBe(404);
      expect((await fetch(`${server}/metrics`)).status).toBe(404);
    });
  });

  it('counts the requests by route and status, and how long they took', async () => {
    await withStatus(['--page', 'true', '--cluster.my-role', 'COORDINATOR'], async (server, status) => {
      await fetch(`${server}/_api/cluster/endpoints`);
      await fetch(`${server}/_db/_system/_api/cluster/endpoints?a=1`);
      await fetch(`${server}/_api/endpoint`, { method: 'POST' });
      await fetch(`${server}/`);
      await fetch(`${server}/listing-page.js`);
      await fetch(`${server}/random/path`);
      const text = await samples(status);
      expect(text).toEqual(
        expect.arrayContaining([
          'endpoint_listing_ready 1',
          'endpoint_listing_endpoints{listing="cluster"} 1',
          'endpoint_listing_endpoints{listing="server"} 1',
          'endpoint_listing_requests_total{route="cluster",status="200"} 2',
          'endpoint_listing_requests_total{route="server",status="405"} 1',
          'endpoint_listing_requests_total{route="page",status="200"} 2',
          'endpoint_listing_requests_total{route="other",status="404"} 1',
          'endpoint_listing_request_duration_seconds_bucket{route="cluster",le="5"} 2',
          'endpoint_listing_request_duration_seconds_bucket{route="cluster",le="+Inf"} 2',
          'endpoint_listing_request_duration_seconds_count{route="cluster"} 2',
        ]),
      );
      const sum = text.find((line) =>
        line.startsWith('endpoint_listing_request_duration_seconds_sum{route="cluster"}'),
      );
      expect(Number(sum?.split(' ')[1])).toBeGreaterThan(0);
    });
  });

  it('has the state of a registry, and the health of endpoints on the page, also where the list is translated', async () => {
    const upstream = await startDnsServer({ records: [{ target: 'localhost', port: 1 }] });
    const args = ['--cluster.my-role=COORDINATOR', '--cluster.my-srv-name=_arangodb._tcp.example', '--page=true'];
    const all = [...args, '--cluster.dns-server', upstream.address, '--cluster.health-check', 'true'];
    await withStatus(all, async (server, status) => {
      expect(await (await fetch(`${server}/`)).text()).toMatch(/live[\s\S]+tcp:\/\/localhost:1[\s\S]+failing/);
      expect(await samples(status)).toContain('endpoint_listing_directory_state{state="live"} 1');
    });
    await withStatus(
      [...all, '--cluster.translate', 'tcp://localhost:1=tcp://db.example:1'],
      async (server, status) => {
        const page = await (await fetch(`${server}/`)).text();
        expect(page).toMatch(/The only coordinator is down[\s\S]+live[\s\S]+tcp:\/\/db\.example:1[\s\S]+failing/);
        expect(page).not.toContain('localhost');
        expect(await samples(status)).toContain('endpoint_listing_endpoints{listing="cluster"} 1');
      },
    );
    await upstream.close();
  });

  it('answers while the server waits for its registry', async () => {
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const terminal = new FakeTerminal();
    const registry = `http://127.0.0.1:${String(await freePort())}`;
    const args = ['--cluster.my-role=COORDINATOR', '--cluster.my-address=tcp://127.0.0.1:1', '--cluster.wait=60'];
    const more = ['--cluster.agency-endpoint', registry, '--status.endpoint', endpoint];
    const done = runServer([...(await anyPort()), ...args, ...more], terminal);
    await terminal.until(/status at tcp:/);
    const answer = await fetch(`${endpoint.replace('tcp:', 'http:')}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, reason: 'starting' }]);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it('counts a client that leaves before its answer', async () => {
    const { requests } = status;
    const { createServer } = await import('node:http');
    const server = createServer((req, res) => requests.middleware(req, res, () => undefined)).listen(0, '127.0.0.1');
    await until('it listens', () => server.listening);
    const { port } = server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /_api/endpoint HTTP/1.1\r\nHost: a\r\n\r\n', () => setTimeout(() => socket.destroy(), 50));
    await until('it is counted', () => requests.counted().get('server')?.byStatus.get('aborted') === 1);
    server.close();
  });
});

describe('--page', () =>
  it.each([
    ['true shows the listings to people, at /', 200],
    ['false shows nothing', 404],
  ])('%s', async (what, status) => {
    await runUntilAsked([...(await anyPort()), '--page', what.split(' ')[0] ?? ''], async (server) => {
      const page = await fetch(`${server}/`);
      expect([page.status, (await fetch(`${server}/listing-page.css`)).status]).toEqual([status, status]);
      if (status === 200) expect(await page.text()).toContain(server);
    });
  }));
