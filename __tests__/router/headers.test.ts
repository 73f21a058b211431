import supertest from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const coordinator: EndpointRouterOptions = {
  role: 'coordinator',
  onError: () => undefined,
  endpoints: ({ req }) => {
    if (req.query['fail'] !== undefined) throw new Error('no');
    return ['tcp://a'];
  },
};

const everyAnswer: [string, number][] = [
  ['/_api/cluster/endpoints', 200],
  ['/_db/other/_api/cluster/endpoints', 403],
  ['/_db/%zz/_api/cluster/endpoints', 400],
  ['/_api/cluster/endpoints?fail', 500],
  ['/_api/endpoint', 200],
  ['/_db/other/_api/endpoint', 400],
  ['/_api/endpoint?fail', 500],
];

describe('Every answer of ours', () => {
  it.each(everyAnswer)(
    'GET %s, %i: the four headers, and none that clients follow or cache by',
    async (path, status) => {
      const { headers, ...response } = await supertest(serverOf(coordinator)).get(path);
      expect(response.status).toBe(status);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(response.text));
      expect(headers).not.toHaveProperty('transfer-encoding');
      expect(headers).not.toHaveProperty('etag');
      expect(headers).not.toHaveProperty('x-arango-endpoint');
    },
  );
});

describe('Deprecation, on the single route only', () => {
  it.each(everyAnswer)('GET %s, %i', async (path, status) => {
    const response = await supertest(serverOf(coordinator)).get(path);
    expect([response.status, response.headers['deprecation']]).toEqual([
      status,
      path.includes('cluster') ? undefined : '@1544054400',
    ]);
  });
});

describe('Link to the successor, on the single route of a coordinator', () => {
  it.each([
    ['/_api/endpoint', 'http://h/_api/cluster/endpoints'],
    ['/_api/endpoint/', 'http://h/_api/cluster/endpoints'],
    ['/_db/_system/_api/endpoint', 'http://h/_db/_system/_api/cluster/endpoints'],
    ['/_db/_system/_api/endpoint/?x=1', 'http://h/_db/_system/_api/cluster/endpoints'],
  ])('from %s leads to %s', async (path, target) => {
    const { headers } = await supertest(serverOf(coordinator)).get(path);
    const [, reference = ''] = /^<([^>]+)>; rel="successor-version"$/.exec(headers['link'] ?? '') ?? [];
    expect(new URL(reference, `http://h${path}`).href).toBe(target);
  });

  it('is not sent by a single server, nor by the cluster route', async () => {
    const single = await supertest(serverOf({ endpoints: [] })).get('/_api/endpoint');
    expect(single.headers).not.toHaveProperty('link');
    const cluster = await supertest(serverOf(coordinator)).get('/_api/cluster/endpoints');
    expect(cluster.headers).not.toHaveProperty('link');
  });
});
