import { METHODS } from 'node:http';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { usualAnswer } from '../support/router/host.js';
import { request } from '../support/router/raw.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://10.0.0.1:8529', 'ssl://[::1]'] };
const single: EndpointRouterOptions = { endpoints: ['tcp://127.0.0.1:8529', 'ssl://[::1]', 'unix:///run/a.sock'] };
const failing = (): never => {
  throw new Error('secret');
};
const slow = { timeoutMs: 5, endpoints: () => new Promise<string[]>(() => undefined) };

const FOREIGN = 'operation only allowed in system database';
const WRONG_TYPE = 'cannot serve this request for this deployment type';
const DEPRECATED = 'Deprecation: @1544054400';
const TO_CLUSTER = 'Link: <../_api/cluster/endpoints>; rel="successor-version"';

const error = (code: number, errorNum: number, errorMessage: string): string =>
  `{"code":${String(code)},"error":true,"errorMessage":"${errorMessage}","errorNum":${String(errorNum)}}`;

/** All headers of every answer, in their order. Elsewhere stands only what a file is about. */
const bytes = (status: string, length: number, lines: readonly string[], body: string): string =>
  [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${String(length)}`,
    'Cache-Control: no-store',
    ...lines,
    'Connection: close',
    '',
    body,
  ].join('\r\n');

type Case = [
  when: string,
  options: EndpointRouterOptions,
  status: string,
  length: number,
  body: string,
  target?: string,
];

it.each<Case>([
  [
    'there is a list',
    coordinator,
    '200 OK',
    107,
    '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[::1]:8529"}]}',
  ],
  [
    'the database name cannot be decoded',
    coordinator,
    '400 Bad Request',
    80,
    error(400, 1229, 'database name invalid'),
    `/_db/%zz${CLUSTER}/`,
  ],
  ['the database is another one', coordinator, '403 Forbidden', 100, error(403, 1230, FOREIGN), `/_db/other${CLUSTER}`],
  ['the server is not a coordinator', single, '501 Not Implemented', 106, error(501, 9, WRONG_TYPE)],
  [
    'the server is not a coordinator, and old clients must know',
    { ...single, notCoordinatorStatus: 403 },
    '403 Forbidden',
    107,
    error(403, 11, WRONG_TYPE),
  ],
  [
    'the provider fails',
    { ...coordinator, endpoints: failing },
    '500 Internal Server Error',
    70,
    error(500, 4, 'internal error'),
  ],
  [
    'the provider is too slow',
    { ...coordinator, ...slow },
    '503 Service Unavailable',
    77,
    error(503, 503, 'service unavailable'),
  ],
])(
  'GET /_api/cluster/endpoints, byte for byte when %s',
  async (_when, options, status, length, body, target = CLUSTER) => {
    expect(await usualAnswer(options, request('GET', target))).toBe(bytes(status, length, [], body));
  },
);

describe('GET /_api/endpoint, byte for byte', () => {
  it.each<Case>([
    [
      'there is a list',
      single,
      '200 OK',
      106,
      '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"https://[::1]:8529"},{"endpoint":"unix:///run/a.sock"}]',
    ],
    [
      'the database name cannot be decoded',
      single,
      '400 Bad Request',
      80,
      error(400, 1229, 'database name invalid'),
      `/_db/%zz${SERVER}`,
    ],
    ['the database is another one', single, '400 Bad Request', 100, error(400, 1230, FOREIGN), `/_db/other${SERVER}`],
    ['the provider fails', { endpoints: failing }, '500 Internal Server Error', 70, error(500, 4, 'internal error')],
    ['the provider is too slow', slow, '503 Service Unavailable', 77, error(503, 503, 'service unavailable')],
  ])('when %s', async (_when, options, status, length, body, target = SERVER) => {
    expect(await usualAnswer(options, request('GET', target))).toBe(bytes(status, length, [DEPRECATED], body));
  });

  it.each<Case>([
    [
      'there is a list',
      coordinator,
      '200 OK',
      71,
      '[{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[::1]:8529"}]',
    ],
    [
      'the database is another one',
      coordinator,
      '400 Bad Request',
      100,
      error(400, 1230, FOREIGN),
      `/_db/other${SERVER}`,
    ],
    [
      'the provider fails',
      { ...coordinator, endpoints: failing },
      '500 Internal Server Error',
      70,
      error(500, 4, 'internal error'),
    ],
  ])(
    'names the cluster route as its successor on a coordinator when %s',
    async (_when, options, status, length, body, target = SERVER) => {
      expect(await usualAnswer(options, request('GET', target))).toBe(
        bytes(status, length, [DEPRECATED, TO_CLUSTER], body),
      );
    },
  );
});

it('Every method but GET is answered 405, and HEAD so without a body', async () => {
  const cluster = error(405, 405, 'only the GET method is allowed');
  const server = error(405, 405, 'method not supported');
  // To a CONNECT, Node closes the connection where nobody listens for it.
  for (const method of METHODS.filter((name) => name !== 'GET' && name !== 'CONNECT')) {
    const withBody = (body: string): string => (method === 'HEAD' ? '' : body);
    expect([method, await usualAnswer(coordinator, request(method, CLUSTER))]).toEqual([
      method,
      bytes('405 Method Not Allowed', 88, ['Allow: GET'], withBody(cluster)),
    ]);
    expect([method, await usualAnswer(single, request(method, SERVER))]).toEqual([
      method,
      bytes('405 Method Not Allowed', 78, ['Allow: GET', DEPRECATED], withBody(server)),
    ]);
  }
});
