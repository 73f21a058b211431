import supertest from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const list = async (endpoints: EndpointRouterOptions['endpoints'], path: string): Promise<unknown> =>
  (
    (await supertest(serverOf({ role: 'coordinator', endpoints, onError: () => undefined })).get(path)) as {
      text: string;
    }
  ).text;

describe('The cluster listing', () => {
  it('keeps the order of the provider, and drops what is the same after normalising', async () => {
    const endpoints = (): string[] => ['tcp://b', 'tcp://a:1', 'HTTP://B:8529/', 'ssl://a:1', 'http+tcp://a:1'];
    expect(await list(endpoints, '/_api/cluster/endpoints')).toBe(
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://b:8529"},{"endpoint":"tcp://a:1"},{"endpoint":"ssl://a:1"}]}',
    );
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
