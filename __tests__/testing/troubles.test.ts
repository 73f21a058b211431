import express from 'express';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, inflateSync } from 'node:zlib';
import type {
  EntriesTrouble,
  ShapeTrouble,
  TestCluster,
  TestClusterOptions,
  Trouble,
} from '../../lib/testing/index.js';
import { createEndpointRouter } from '../../lib/index.js';
import { rawAnswer, request } from '../support/router/raw.js';
import { ask, clusters, CLUSTER_ROUTE, listing, statuses, withRoute } from '../support/testing/cluster.js';
import { headAndBody, watchConnection, type Sight } from '../support/testing/wire.js';

const start = clusters();

/** A cluster that lists one endpoint, so that every byte is known, with one trouble. */
async function troubled(trouble: Trouble, options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = await start({ coordinators: 2, ...options });
  cluster.setList(['tcp://a:1']);
  cluster.trouble(trouble);
  return cluster;
}
const watch = (cluster: TestCluster, path = CLUSTER_ROUTE, how = {}): Promise<Sight> =>
  watchConnection(String(cluster.urls[0]), path, how);
const watchToTheEnd = (cluster: TestCluster): Promise<Sight> => watch(cluster, CLUSTER_ROUTE, { ends: true });

const BODY = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}';
/** Of the router's answer, all headers of which stand in its own tests. */
let HEAD = '';
const KEPT = 'Connection: keep-alive\r\nKeep-Alive: timeout=300';

beforeAll(async () => {
  const app = express().use(createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://a:1'] }));
  const answer = await rawAnswer(createServer(app.disable('x-powered-by')), request('GET', CLUSTER_ROUTE));
  HEAD = headAndBody(answer)[0].replace('\r\nConnection: close', '');
});

it('Without a trouble an answer is that of the router', async () => {
  const cluster = await start({ coordinators: 1 });
  cluster.setList(['tcp://a:1']);
  const { bytes, end } = await watch(cluster);
  expect([...headAndBody(bytes), end]).toEqual([`${HEAD}\r\n${KEPT}`, BODY, 'open']);
});

describe('The trouble status', () => {
  it('answers an error in the form of the server', async () => {
    const { urls } = await troubled({ kind: 'status', status: 503, errorNum: 1478, errorMessage: 'no leader' });
    expect(await ask(urls[0])).toEqual([503, { code: 503, error: true, errorMessage: 'no leader', errorNum: 1478 }]);
  });

  it('has the status as its errorNum where none is given, and can be a success', async () => {
    const cluster = await troubled({ kind: 'status', status: 404, times: 1 });
    cluster.trouble({ kind: 'status', status: 202, times: 1 });
    cluster.trouble({ kind: 'status', status: 503, errorNum: 0, times: 1 });
    expect(await ask(cluster.urls[0])).toEqual([
      404,
      { code: 404, error: true, errorMessage: 'trouble', errorNum: 404 },
    ]);
    expect(await ask(cluster.urls[0])).toMatchObject([202, { code: 202, error: false, errorNum: 202 }]);
    expect(await ask(cluster.urls[0])).toMatchObject([503, { errorNum: 0 }]);
  });
});

describe('The trouble answer', () => {
  it('is a 200 of JSON without a body, or has the status, the headers and the body that are given', async () => {
    const cluster = await troubled({ kind: 'answer', times: 1 });
    const own = {
      kind: 'answer',
      headers: { 'Content-Type': 'text/plain', 'X-Arango-Endpoint': 'tcp://b:1' },
    } as const;
    cluster.trouble({ ...own, status: 503, body: 'no' });
    expect(headAndBody((await watch(cluster)).bytes)).toEqual([
      `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n${KEPT}\r\nContent-Length: 0`,
      '',
    ]);
    expect(headAndBody((await watch(cluster)).bytes)).toEqual([
      `HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nX-Arango-Endpoint: tcp://b:1\r\n${KEPT}\r\nContent-Length: 2`,
      'no',
    ]);
  });

  it('is sent in chunks where its headers say so', async () => {
    const cluster = await troubled({ kind: 'answer', headers: { 'Transfer-Encoding': 'chunked' }, body: '[]' });
    const { bytes } = await watch(cluster);
    expect(headAndBody(bytes)).toEqual([
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${KEPT}`,
      '2\r\n[]\r\n0\r\n\r\n',
    ]);
  });
});

describe('The trouble delay', () => {
  it('answers late', async () => {
    const { urls } = await troubled({ kind: 'delay', milliseconds: 60 });
    const before = performance.now();
    expect(await ask(urls[0])).toEqual([200, listing(['tcp://a:1'])]);
    expect(performance.now() - before).toBeGreaterThan(58);
  });

  it('is over when the client has left', async () => {
    const cluster = await troubled({ kind: 'delay', milliseconds: 3_600_000 });
    const signal = AbortSignal.timeout(20);
    await expect(fetch(String(cluster.urls[0]) + CLUSTER_ROUTE, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

it('The trouble silence sends nothing, and leaves the connection open', async () => {
  const { urls } = await troubled({ kind: 'silence' });
  expect(await watchConnection(String(urls[0]), CLUSTER_ROUTE, { isSilent: true })).toEqual({
    bytes: '',
    end: 'open',
  });
});

it.each([
  ['before-head', 0],
  ['in-head', 72],
  ['after-head', undefined],
] as const)('The trouble reset resets the connection %s', async (at, length) => {
  const bytes = `${HEAD}\r\n\r\n${BODY.slice(0, 32)}`.slice(0, length);
  expect(await watchToTheEnd(await troubled({ kind: 'reset', at }))).toEqual({ bytes, end: 'reset' });
});

it('The trouble truncated-body sends half of the body, and closes in order', async () => {
  const { bytes, end } = await watchToTheEnd(await troubled({ kind: 'truncated-body' }));
  expect(headAndBody(bytes)).toEqual([HEAD, BODY.slice(0, 32)]);
  expect(end).toBe('closed');
});

it.each([
  [-10, 55],
  [7, 72],
  [-1000, 0],
])('The trouble wrong-content-length adds %i: a body of 65 bytes is said to have %i', async (difference, length) => {
  const { bytes, end } = await watch(await troubled({ kind: 'wrong-content-length', difference }));
  const [head, body] = headAndBody(bytes);
  expect(head).toContain(`Content-Length: ${String(length)}\r\n`);
  expect([body, end]).toEqual([BODY, 'open']);
});

it('The trouble not-json says JSON, and is not', async () => {
  const { bytes } = await watch(await troubled({ kind: 'not-json' }));
  expect(headAndBody(bytes)).toEqual([
    `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 16\r\n${KEPT}`,
    'this is not JSON',
  ]);
});

describe('The trouble shape', () => {
  const own = 'http://own';
  const cluster = (endpoints: unknown): unknown => ({ error: false, code: 200, endpoints });
  it.each<[ShapeTrouble['shape'], unknown, unknown]>([
    ['no-endpoints', { error: false, code: 200 }, {}],
    ['null-endpoints', cluster(null), null],
    ['null', null, null],
    ['entry-without-attribute', cluster([{ endpoint: 'tcp://a:1' }, {}]), [{ endpoint: own }, {}]],
    [
      'two-attributes',
      cluster([{ endpoint: 'tcp://a:1', name: 'coordinator-0' }]),
      [{ endpoint: own, name: 'coordinator-0' }],
    ],
    ['entrypoint', cluster([{ entrypoint: 'tcp://a:1' }]), [{ entrypoint: own }]],
    [
      'internal',
      cluster([{ endpoint: 'tcp://a:1', internal: 'tcp://127.0.0.1:1' }]),
      [{ endpoint: own, internal: 'tcp://127.0.0.1:1' }],
    ],
  ])('%s changes both listings', async (shape, ofCluster, ofServer) => {
    const { urls } = await troubled({ kind: 'shape', shape });
    expect(await ask(urls[0])).toEqual([200, ofCluster]);
    const [status, body] = await ask(urls[0], '/_api/endpoint');
    expect([status, JSON.parse(JSON.stringify(body).replace(String(urls[0]), own))]).toEqual([200, ofServer]);
  });

  it('leaves refusals as they are', async () => {
    const { urls } = await troubled({ kind: 'shape', shape: 'null' }, { database: 'shop' });
    expect(await ask(urls[0], `/_db/shop${CLUSTER_ROUTE}`)).toMatchObject([403, { errorNum: 1230 }]);
  });
});

describe('The trouble entries', () => {
  const endpointsOf = async (trouble: Trouble, list = ['ssl://a:1']): Promise<string[]> => {
    const cluster = await troubled(trouble);
    cluster.setList(list);
    const [, body] = await ask(cluster.urls[0]);
    return (body as { endpoints: { endpoint: string }[] }).endpoints.map(({ endpoint }) => endpoint);
  };

  const [a, b] = ['tcp://a:1', 'tcp://b:1'];
  it.each<[EntriesTrouble['entries'], string, string[], string[]]>([
    [
      'private',
      'addresses of a network that clients are not in',
      ['ssl://a:1'],
      ['ssl://10.255.255.1:8529', 'ssl://192.168.255.1:8529', 'ssl://coordinator-1.cluster.internal:8529'],
    ],
    [
      'malformed',
      'what is no endpoint behind the true entries',
      [a],
      [
        a,
        'tcp://:8529',
        'tcp://::1:8529',
        'tcp://[fe80::1%eth0]:8529',
        '127.0.0.1:8529',
        ' tcp://127.0.0.1:8529 ',
        'tcp://127.0.0.1:70000',
      ],
    ],
    ['duplicate', 'every entry twice', [a, b], [a, a, b, b]],
    ['dead', 'one more, where nobody listens', ['ssl://a:1'], ['ssl://a:1', 'ssl://127.0.0.1:1']],
    ['dead', 'that one where the list is empty', [], ['tcp://127.0.0.1:1']],
  ])('%s: lists %s', async (entries, _words, list, listed) => {
    expect(await endpointsOf({ kind: 'entries', entries }, list)).toEqual(listed);
  });

  it('thousands: lists 5000 more, each another address of loopback', async () => {
    const endpoints = await endpointsOf({ kind: 'entries', entries: 'thousands' });
    expect(endpoints).toHaveLength(5001);
    expect(new Set(endpoints).size).toBe(5001);
    expect([endpoints[1], endpoints[300], endpoints[5000]]).toEqual([
      'ssl://127.1.0.0:1',
      'ssl://127.1.1.43:1',
      'ssl://127.1.19.135:1',
    ]);
  });

  it('thousands: lists as many as count says', async () => {
    const endpoints = await endpointsOf({ kind: 'entries', entries: 'thousands', count: 70_000 });
    expect([endpoints.length, endpoints.at(-1)]).toEqual([70_001, 'ssl://127.2.17.111:1']);
  });
});

describe('The trouble redirect', () => {
  it('sends clients to the same path at the next coordinator', async () => {
    const cluster = await troubled({ kind: 'redirect', coordinator: 1 });
    const path = '/_db/_system/_api/cluster/endpoints?x=1';
    const { bytes } = await watchConnection(String(cluster.urls[1]), path);
    expect(headAndBody(bytes)).toEqual([
      `HTTP/1.1 302 Found\r\nLocation: ${String(cluster.urls[0])}${path}\r\nContent-Length: 0\r\n${KEPT}`,
      '',
    ]);
    expect(await ask(cluster.urls[1])).toEqual([200, listing(['tcp://a:1'])]);
  });

  it('has the status and the location that are given', async () => {
    const { bytes } = await watch(await troubled({ kind: 'redirect', status: 308, location: '/elsewhere' }));
    expect(bytes).toContain('HTTP/1.1 308 Permanent Redirect\r\nLocation: /elsewhere\r\n');
  });
});

it.each([
  [undefined, 'HTTP/1.1 502 Bad Gateway'],
  [200, 'HTTP/1.1 200 OK'],
])('The trouble proxy-page answers HTML, with status %s as %s', async (status, line) => {
  const { bytes } = await watch(await troubled({ kind: 'proxy-page', ...(status && { status }) }));
  expect(headAndBody(bytes)).toEqual([
    `${line}\r\nContent-Type: text/html\r\nContent-Length: 114\r\n${KEPT}`,
    '<html>\r\n<head><title>Bad Gateway</title></head>\r\n<body>\r\n<center><h1>Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
  ]);
});

it.each([
  ['gzip', {}, gunzipSync],
  ['deflate', { coding: 'deflate' }, inflateSync],
] as const)(
  'The trouble gzip compresses the correct response by %s for a client that has not asked for it',
  async (coding, more, plain) => {
    const cluster = await troubled({ kind: 'gzip', ...more });
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(String(cluster.urls[0]) + CLUSTER_ROUTE, resolve),
    );
    const body = await buffer(response);
    expect(response.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
    });
    expect(plain(body).toString()).toBe(BODY);
  },
);

describe('The trouble slow-drip', () => {
  it('sends the body a few bytes at a time', async () => {
    const cluster = await troubled({ kind: 'slow-drip', bytes: 20, intervalMs: 15 });
    const before = performance.now();
    const response = await fetch(String(cluster.urls[0]) + CLUSTER_ROUTE);
    const arrived = [0];
    for await (const chunk of response.body ?? []) arrived.push(Number(arrived.at(-1)) + (chunk as Uint8Array).length);
    // Several of them arrive as one where the client had to wait for its turn.
    expect([0, 20, 40, 60, 65]).toEqual(expect.arrayContaining(arrived));
    expect(arrived.at(-1)).toBe(65);
    expect(performance.now() - before).toBeGreaterThan(40);
  });

  it('stops when the client leaves', async () => {
    const cluster = await troubled({ kind: 'slow-drip', intervalMs: 100_000 });
    expect((await watch(cluster)).bytes.endsWith('\r\n\r\n{')).toBe(true);
  });
});

describe('The trouble keep-alive', () => {
  it('promises to keep the connection, and closes it behind the answer', async () => {
    const { bytes, end } = await watchToTheEnd(await troubled({ kind: 'keep-alive' }));
    expect(headAndBody(bytes)).toEqual([`${HEAD}\r\n${KEPT}`, BODY]);
    expect(end).toBe('closed');
  });

  it('can keep the connection until the client sends the next request on it', async () => {
    const cluster = await troubled({ kind: 'keep-alive', closed: 'while-sending', times: 1 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (): Promise<unknown> =>
      new Promise((resolve) => {
        get(String(cluster.urls[0]) + CLUSTER_ROUTE, { agent }, (res) => {
          res.resume().once('end', () => {
            // The agent takes a connection back a moment later.
            setImmediate(resolve, res.statusCode);
          });
        }).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
      });
    expect([await send(), await send(), await send()]).toEqual([200, 'ECONNRESET', 200]);
    expect(cluster.requests.map(({ trouble }) => trouble)).toEqual(['keep-alive', 'keep-alive', null]);
    agent.destroy();
  });
});

describe('A trouble', () => {
  it('meets the two listings only, in any database, unless routes says all', async () => {
    const cluster = await start({ coordinators: 1 });
    cluster.trouble({ kind: 'status', status: 503 });
    const paths = [
      '/_api/cluster/endpoints/?x=1',
      '/_db/_system/_api/cluster/endpoints',
      '/_api/endpoint',
      '/_api/endpoints',
      '/_api/version',
    ];
    const seen = await Promise.all(paths.map(async (path) => (await ask(cluster.urls[0], path))[0]));
    expect(seen).toEqual([503, 503, 503, 404, 200]);
    cluster.trouble({ kind: 'status', status: 500, routes: 'all' });
    expect(await ask(cluster.urls[0], '/_api/version')).toMatchObject([500, {}]);
  });

  it('meets all coordinators, or one', async () => {
    const cluster = await start();
    cluster.trouble({ kind: 'status', status: 503, coordinator: 1 });
    expect((await Promise.all(cluster.urls.map((url) => ask(url)))).map(([status]) => status)).toEqual([200, 503, 200]);
    cluster.trouble({ kind: 'status', status: 500 });
    expect((await Promise.all(cluster.urls.map((url) => ask(url)))).map(([status]) => status)).toEqual([500, 503, 500]);
  });

  it('meets as many requests as times says; then the next one follows', async () => {
    const cluster = await start({ coordinators: 1 });
    cluster.trouble({ kind: 'status', status: 503, times: 1 });
    const second = cluster.trouble({ kind: 'status', status: 500, times: 2 });
    expect(await statuses(cluster.urls[0], 5)).toEqual([503, 500, 500, 200, 200]);
    expect([second.kind, second.met]).toEqual(['status', 2]);
  });

  it('lasts until it is ended, and can be ended more than once', async () => {
    const cluster = await start({ coordinators: 1 });
    const trouble = cluster.trouble({ kind: 'status', status: 503 });
    expect(await statuses(cluster.urls[0], 3)).toEqual([503, 503, 503]);
    trouble.end();
    trouble.end();
    expect(await statuses(cluster.urls[0], 1)).toEqual([200]);
    expect(trouble.met).toBe(3);
  });

  it('meets requests with a probability, the same ones for the same seed', async () => {
    const seen = async (seed?: number): Promise<number[]> => {
      const cluster = await start({ coordinators: 1 });
      cluster.trouble({ kind: 'status', status: 503, probability: 0.3, ...(seed && { seed }) });
      return statuses(cluster.urls[0], 100);
    };
    const [first, again, other] = [await seen(7), await seen(7), await seen(8)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(await seen()).toEqual(await seen(1));
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(15);
    expect(first.filter((status) => status === 503).length).toBeLessThan(45);
  });

  it('works on answers of routes of your own, whatever way they are written', async () => {
    const cluster = await start(
      withRoute('/streamed', (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=1', 'b=2'] });
        res.write('one ');
        setImmediate(() => res.end(Buffer.from('two')));
      }),
    );
    cluster.trouble({ kind: 'keep-alive', routes: 'all' });
    const { bytes } = await watch(cluster, '/streamed');
    expect(headAndBody(bytes)).toEqual([
      `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n${KEPT}\r\nContent-Length: 7`,
      'one two',
    ]);
  });

  it('knows no text for a status that has none', async () => {
    const cluster = await start(
      withRoute('/odd', (_req, res) => {
        res.status(299).end();
      }),
    );
    cluster.trouble({ kind: 'truncated-body', routes: 'all' });
    expect((await watch(cluster, '/odd')).bytes).toMatch(/^HTTP\/1\.1 299 \r\n/);
  });

  it('ends the connection when a route of your own does so', async () => {
    const cluster = await start(
      withRoute('/gone', (_req, res) => {
        res.destroy();
      }),
    );
    cluster.trouble({ kind: 'gzip', routes: 'all' });
    expect(await watch(cluster, '/gone')).toEqual({ bytes: '', end: 'closed' });
  });
});
