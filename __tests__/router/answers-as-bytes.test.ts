import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://10.0.0.1:8529', 'ssl://[::1]'] };
const single: EndpointRouterOptions = { endpoints: ['tcp://127.0.0.1:8529', 'ssl://[::1]', 'unix:///run/a.sock'] };
const silent = { onError: () => undefined };

const head = (...lines: string[]): string => [...lines, 'Connection: close', '', ''].join('\r\n');

describe('GET /_api/cluster/endpoints, byte for byte', () => {
  it('answers 200 with all Coordinators', async () => {
    expect(await rawAnswer(serverOf(coordinator), request('GET', CLUSTER))).toBe(
      head(
        'HTTP/1.1 200 OK',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 107',
        'Cache-Control: no-store',
      ) + '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[::1]:8529"}]}',
    );
  });

  it.each([
    {
      when: 'the database name cannot be decoded',
      target: '/_db/%zz/_api/cluster/endpoints',
      status: '400 Bad Request',
      length: 80,
      body: '{"code":400,"error":true,"errorMessage":"database name invalid","errorNum":1229}',
    },
    {
      when: 'the database is another one',
      target: '/_db/other/_api/cluster/endpoints',
      status: '403 Forbidden',
      length: 100,
      body: '{"code":403,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    },
    {
      when: 'the server is not a coordinator',
      options: single,
      status: '501 Not Implemented',
      length: 106,
      body: '{"code":501,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":9}',
    },
    {
      when: 'the server is not a coordinator, and old clients must know',
      options: { ...single, notCoordinatorStatus: 403 } satisfies EndpointRouterOptions,
      status: '403 Forbidden',
      length: 107,
      body: '{"code":403,"error":true,"errorMessage":"cannot serve this request for this deployment type","errorNum":11}',
    },
    {
      when: 'the provider fails',
      options: {
        ...coordinator,
        ...silent,
        endpoints: () => {
          throw new Error('secret');
        },
      } satisfies EndpointRouterOptions,
      status: '500 Internal Server Error',
      length: 70,
      body: '{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}',
    },
    {
      when: 'the provider is too slow',
      options: {
        ...coordinator,
        ...silent,
        timeoutMs: 5,
        endpoints: () => new Promise<string[]>(() => undefined),
      } satisfies EndpointRouterOptions,
      status: '503 Service Unavailable',
      length: 77,
      body: '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}',
    },
  ])('answers $status when $when', async ({ options = coordinator, target = CLUSTER, status, length, body }) => {
    expect(await rawAnswer(serverOf(options), request('GET', target))).toBe(
      head(
        `HTTP/1.1 ${status}`,
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        `Content-Length: ${String(length)}`,
        'Cache-Control: no-store',
      ) + body,
    );
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('answers 405 to %s', async (method) => {
    expect(await rawAnswer(serverOf(coordinator), request(method, CLUSTER))).toBe(
      head(
        'HTTP/1.1 405 Method Not Allowed',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 88',
        'Cache-Control: no-store',
        'Allow: GET',
      ) + '{"code":405,"error":true,"errorMessage":"only the GET method is allowed","errorNum":405}',
    );
  });

  it('answers 405 to HEAD with the same headers and no body', async () => {
    expect(await rawAnswer(serverOf(coordinator), request('HEAD', CLUSTER))).toBe(
      head(
        'HTTP/1.1 405 Method Not Allowed',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 88',
        'Cache-Control: no-store',
        'Allow: GET',
      ),
    );
  });
});

describe('GET /_api/endpoint, byte for byte', () => {
  it('answers 200 with what the server listens on', async () => {
    expect(await rawAnswer(serverOf(single), request('GET', SERVER))).toBe(
      head(
        'HTTP/1.1 200 OK',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 106',
        'Cache-Control: no-store',
        'Deprecation: @1544054400',
      ) + '[{"endpoint":"http://127.0.0.1:8529"},{"endpoint":"https://[::1]:8529"},{"endpoint":"unix:///run/a.sock"}]',
    );
  });

  it('names the cluster route as its successor on a coordinator', async () => {
    expect(await rawAnswer(serverOf(coordinator), request('GET', SERVER))).toBe(
      head(
        'HTTP/1.1 200 OK',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 71',
        'Cache-Control: no-store',
        'Deprecation: @1544054400',
        'Link: <../_api/cluster/endpoints>; rel="successor-version"',
      ) + '[{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[::1]:8529"}]',
    );
  });

  it.each([
    {
      when: 'the database name cannot be decoded',
      target: '/_db/%zz/_api/endpoint',
      status: '400 Bad Request',
      length: 80,
      body: '{"code":400,"error":true,"errorMessage":"database name invalid","errorNum":1229}',
    },
    {
      when: 'the database is another one',
      target: '/_db/other/_api/endpoint',
      status: '400 Bad Request',
      length: 100,
      body: '{"code":400,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    },
    {
      when: 'the provider fails',
      options: {
        ...silent,
        endpoints: () => {
          throw new Error('secret');
        },
      } satisfies EndpointRouterOptions,
      status: '500 Internal Server Error',
      length: 70,
      body: '{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}',
    },
    {
      when: 'the provider is too slow',
      options: {
        ...silent,
        timeoutMs: 5,
        endpoints: () => new Promise<string[]>(() => undefined),
      } satisfies EndpointRouterOptions,
      status: '503 Service Unavailable',
      length: 77,
      body: '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}',
    },
  ])('answers $status when $when', async ({ options = single, target = SERVER, status, length, body }) => {
    expect(await rawAnswer(serverOf(options), request('GET', target))).toBe(
      head(
        `HTTP/1.1 ${status}`,
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        `Content-Length: ${String(length)}`,
        'Cache-Control: no-store',
        'Deprecation: @1544054400',
      ) + body,
    );
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])('answers 405 to %s', async (method) => {
    expect(await rawAnswer(serverOf(single), request(method, SERVER))).toBe(
      head(
        'HTTP/1.1 405 Method Not Allowed',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 78',
        'Cache-Control: no-store',
        'Allow: GET',
        'Deprecation: @1544054400',
      ) + '{"code":405,"error":true,"errorMessage":"method not supported","errorNum":405}',
    );
  });

  it('answers 405 to HEAD with the same headers and no body', async () => {
    expect(await rawAnswer(serverOf(single), request('HEAD', SERVER))).toBe(
      head(
        'HTTP/1.1 405 Method Not Allowed',
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Content-Length: 78',
        'Cache-Control: no-store',
        'Allow: GET',
        'Deprecation: @1544054400',
      ),
    );
  });
});
