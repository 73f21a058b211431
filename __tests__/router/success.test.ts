import supertest from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a'] };

it('The cluster listing keeps the order of the provider, and drops what is the same after normalising', async () => {
  const endpoints = (): string[] => ['tcp://b', 'tcp://a:1', 'HTTP://B:8529/', 'ssl://a:1', 'http+tcp://a:1'];
  const { text } = await supertest(serverOf({ ...coordinator, endpoints })).get('/_api/cluster/endpoints');
  expect(text).toBe(
    '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://b:8529"},{"endpoint":"tcp://a:1"},{"endpoint":"ssl://a:1"}]}',
  );
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
});

describe('Whatever the request carries', () => {
  it.each([
    ['Accept', 'application/x-velocypack'],
    ['Accept', 'text/html'],
    ['Accept', 'nothing/known;q=0'],
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/json'],
    ['X-Arango-Async', 'store'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['Range', 'bytes=0-1'],
    ['Authorization', 'Basic cm9vdDo='],
  ])('%s: %s, the answer is the same JSON', async (name, value) => {
    const response = await supertest(serverOf({ endpoints: ['tcp://a'] }))
      .get('/_api/endpoint')
      .set(name, value);
    expect([response.status, response.text, response.headers['content-type']]).toEqual([
      200,
      '[{"endpoint":"http://a:8529"}]',
      'application/json; charset=utf-8',
    ]);
  });
});
