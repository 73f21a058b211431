import { connect } from 'node:net';
import type { DirectoryStatus } from '../../../lib/directory/directory.js';
import { translateEndpoints } from '../../../lib/index.js';
import { Status, type Served } from '../../../lib/cli/serve/status.js';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { freePort } from '../../support/process/free-port.js';
import { startDnsServer } from '../../support/dns/dns-server.js';
import { until } from '../../support/until.js';

let status: Status;
let url: string;

beforeEach(async () => {
  status = new Status();
  const [endpoint = ''] = await status.open(['tcp://127.0.0.1:0']);
  url = endpoint.replace('tcp:', 'http:');
});
afterEach(() => status.close());

const endpoints: Served['endpoints'] = ({ listing }) =>
  listing === 'cluster' ? ['tcp://a:1', 'tcp://b:1', 'tcp://c:1'] : ['tcp://a:1'];

/** A server whose list comes from a directory in a state. */
function servedBy(state: DirectoryStatus['state'], ageMs = 1500): Served {
  const status = (): DirectoryStatus => ({
    state,
    ageMs,
    count: 3,
    down: 0,
    skipped: 0,
    relists: 1,
    events: 0,
    entries: [],
  });
  return { role: 'coordinator', directory: { status }, endpoints };
}

async function ready(): Promise<[number, unknown]> {
  const answer = await fetch(`${url}/ready`);
  return [answer.status, await answer.json()];
}

async function metrics(): Promise<string[]> {
  return (await (await fetch(`${url}/metrics`)).text()).split('\n');
}

describe('GET /live', () => {
  it('is 200 from the start to the end, also while the server waits for its registry', async () => {
    const live = async (): Promise<unknown> => (await fetch(`${url}/live`)).json();
    expect(await live()).toEqual({ live: true, phase: 'starting' });
    status.serving(servedBy('expired'));
    expect(await live()).toEqual({ live: true, phase: 'serving' });
    status.stopping();
    expect(await live()).toEqual({ live: true, phase: 'stopping' });
  });
});

describe('GET /ready', () => {
  it('is 503 until the server serves, and once it stops', async () => {
    expect(await ready()).toEqual([503, { ready: false, reason: 'starting' }]);
    status.serving(servedBy('live'));
    expect(await ready()).toEqual([200, { ready: true }]);
    status.stopping();
    expect(await ready()).toEqual([503, { ready: false, reason: 'stopping' }]);
  });

  it('is 200 for a list that is stale, for it is served, and 503 for one that is not', async () => {
    status.serving(servedBy('stale'));
    expect(await ready()).toEqual([200, { ready: true }]);
    status.serving(servedBy('expired'));
    expect(await ready()).toEqual([503, { ready: false, reason: 'the list of coordinators is expired' }]);
    status.serving(servedBy('closed'));
    expect(await ready()).toEqual([503, { ready: false, reason: 'the list of coordinators is closed' }]);
  });

  it('is 200 for a server without a directory', async () => {
    status.serving({ role: 'single', directory: undefined, endpoints });
    expect(await ready()).toEqual([200, { ready: true }]);
  });
});

describe('GET /metrics', () => {
  it('has the endpoints listed, the state and the age of the list', async () => {
    status.serving(servedBy('stale', 1500));
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toBe(`# HELP endpoint_listing_ready 1 while the server is ready.
# TYPE endpoint_listing_ready gauge
endpoint_listing_ready 1
# HELP endpoint_listing_endpoints Endpoints on each listing.
# TYPE endpoint_listing_endpoints gauge
endpoint_listing_endpoints{listing="cluster"} 3
endpoint_listing_endpoints{listing="server"} 1
# HELP endpoint_listing_directory_state 1 for the state of the list of Coordinators.
# TYPE endpoint_listing_directory_state gauge
endpoint_listing_directory_state{state="live"} 0
endpoint_listing_directory_state{state="stale"} 1
endpoint_listing_directory_state{state="expired"} 0
endpoint_listing_directory_state{state="closed"} 0
# HELP endpoint_listing_directory_age_seconds Seconds since the registry last confirmed the list.
# TYPE endpoint_listing_directory_age_seconds gauge
endpoint_listing_directory_age_seconds 1.5
`);
  });

  it('has only what it knows: nothing of a list before there is one, and no figure of a provider that fails', async () => {
    expect((await metrics()).filter((line) => !line.startsWith('#'))).toEqual(['endpoint_listing_ready 0', '']);
    const failing = (): never => {
      throw new Error('no');
    };
    status.serving({ role: 'coordinator', directory: undefined, endpoints: failing });
    expect((await metrics()).filter((line) => !line.startsWith('#'))).toEqual(['endpoint_listing_ready 1', '']);
  });
});

describe('the endpoints in GET /metrics', () => {
  const balancer = translateEndpoints(() => ['tcp://a:1', 'tcp://b:1', 'tcp://c:1'], { '*': 'ssl://lb.example:443' });

  it.each<[what: string, list: unknown, figures: number[]]>([
    ['three that are translated to one', balancer, [1]],
    ['one in two spellings, and one that is skipped', ['tcp://a:8529', 'http://a', 'nonsense'], [1]],
    ['none', [], [0]],
    ['nothing but what is skipped, which the router answers with 500', ['nonsense'], []],
    ['a Map, which the router answers with 500', new Map([['tcp://a:1', 1]]), []],
    ['a text, which the router answers with 500', 'tcp://a:1', []],
  ])('are those that the router lists: of %s', async (_what, list, figures) => {
    const endpoints = (typeof list === 'function' ? list : () => list) as Served['endpoints'];
    status.serving({ role: 'coordinator', directory: undefined, endpoints });
    const samples = (await metrics()).filter((line) => line.startsWith('endpoint_listing_endpoints{'));
    expect(samples).toEqual(
      figures.flatMap((figure) => [
        `endpoint_listing_endpoints{listing="cluster"} ${String(figure)}`,
        `endpoint_listing_endpoints{listing="server"} ${String(figure)}`,
      ]),
    );
  });
});

describe('the status endpoint', () => {
  it('knows two paths and two methods', async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/ready?a=1`)).status).toBe(503);
    const post = await fetch(`${url}/ready`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('cache-control')).toBe('no-store');
  });
});

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

  it('has one listing on a server that is no coordinator', async () => {
    await withStatus([], async (_server, status) => {
      expect((await samples(status)).filter((line) => line.includes('_endpoints{'))).toEqual([
        'endpoint_listing_endpoints{listing="server"} 1',
      ]);
    });
  });

  it('has the state of a registry, and the page shows it', async () => {
    const dns = await startDnsServer({ records: [{ target: 'a.example', port: 8529 }] });
    const args = ['--cluster.my-role', 'COORDINATOR', '--cluster.my-srv-name', '_arangodb._tcp.example'];
    await withStatus([...args, '--cluster.dns-server', dns.address, '--page', 'true'], async (server, status) => {
      expect(await samples(status)).toEqual(
        expect.arrayContaining([
          'endpoint_listing_endpoints{listing="cluster"} 1',
          'endpoint_listing_directory_state{state="live"} 1',
        ]),
      );
      expect(await (await fetch(`${server}/`)).text()).toMatch(/live[\s\S]+tcp:\/\/a\.example:8529/);
    });
    await dns.close();
  });

  it('has the health of endpoints on the page, and the state alone where the list is translated', async () => {
    const upstream = await startDnsServer({ records: [{ target: 'localhost', port: 1 }] });
    const args = [
      '--cluster.my-role',
      'COORDINATOR',
      '--cluster.my-srv-name',
      '_arangodb._tcp.example',
      '--page',
      'true',
    ];
    const all = [...args, '--cluster.dns-server', upstream.address, '--cluster.health-check', 'true'];
    await withStatus(all, async (server) => {
      expect(await (await fetch(`${server}/`)).text()).toMatch(/tcp:\/\/localhost:1[\s\S]+failing/);
    });
    await withStatus(
      [...all, '--cluster.translate', 'tcp://localhost:1=tcp://db.example:1'],
      async (server, status) => {
        const page = await (await fetch(`${server}/`)).text();
        expect(page).toMatch(/live[\s\S]+tcp:\/\/db\.example:1/);
        expect(page).not.toMatch(/localhost|failing/);
        expect(await samples(status)).toContain('endpoint_listing_endpoints{listing="cluster"} 1');
      },
    );
    await upstream.close();
  });

  it('answers while the server waits for its registry', async () => {
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const terminal = new FakeTerminal();
    const registry = `http://127.0.0.1:${String(await freePort())}`;
    const args = [
      '--cluster.my-role',
      'COORDINATOR',
      '--cluster.my-address',
      'tcp://127.0.0.1:1',
      '--cluster.wait',
      '60',
    ];
    const done = runServer(
      [...(await anyPort()), ...args, '--cluster.agency-endpoint', registry, '--status.endpoint', endpoint],
      terminal,
    );
    await terminal.until(/status at tcp:/);
    const answer = await fetch(`${endpoint.replace('tcp:', 'http:')}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, reason: 'starting' }]);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it('is not ready while the server drains', async () => {
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const terminal = new FakeTerminal();
    const args = [...(await anyPort()), '--status.endpoint', endpoint, '--shutdown-delay', '2'];
    const done = runServer(args, terminal);
    await terminal.until(/^try: curl/);
    terminal.emit('SIGTERM');
    await terminal.until(/serving for another 2 s/);
    const answer = await fetch(`${endpoint.replace('tcp:', 'http:')}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, reason: 'stopping' }]);
    expect(await done).toBe(0);
  });

  it('counts a client that leaves before its answer', async () => {
    const { requests } = status;
    const { createServer } = await import('node:http');
    const server = createServer((req, res) => {
      requests.middleware(req, res, () => undefined);
    }).listen(0, '127.0.0.1');
    await until('it listens', () => server.listening);
    const { port } = server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /_api/endpoint HTTP/1.1\r\nHost: a\r\n\r\n', () => setTimeout(() => socket.destroy(), 50));
    await until('it is counted', () => requests.text().includes('requests_total{route="server",status="aborted"} 1'));
    server.close();
  });
});

describe('--page', () => {
  it('true shows the listings to people, at /', async () => {
    await runUntilAsked(
      [...(await anyPort()), '--page', 'true', '--cluster.my-role', 'COORDINATOR'],
      async (server) => {
        const page = await fetch(`${server}/`);
        expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(await page.text()).toContain(server.replace('http:', 'tcp:'));
        expect((await fetch(`${server}/listing-page.css`)).status).toBe(200);
        expect((await fetch(`${server}/_api/cluster/endpoints`)).status).toBe(200);
      },
    );
  });

  it('is off without it', async () => {
    await runUntilAsked([...(await anyPort()), '--page', 'false'], async (server) => {
      expect((await fetch(`${server}/`)).status).toBe(404);
    });
  });
});
