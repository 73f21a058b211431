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

  it('does not turn localhost into an address, nor an address into localhost', async () => {
    expect(await list(['tcp://localhost', 'tcp://127.0.0.1'], '/_api/cluster/endpoints')).toBe(
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://localhost:8529"},{"endpoint":"tcp://127.0.0.1:8529"}]}',
    );
  });

  it('is an empty array when the provider lists nobody', async () => {
    expect(await list([], '/_api/cluster/endpoints')).toBe('{"error":false,"code":200,"endpoints":[]}');
    expect(await list(() => new Set<string>(), '/_api/cluster/endpoints')).toBe(
      '{"error":false,"code":200,"endpoints":[]}',
    );
  });
});

describe('The single-server listing', () => {
  it('shows tcp as http, ssl as https, and unix as it is', async () => {
    const endpoints = (): string[] => [
      'tcp://a',
      'ssl://b:1',
      'unix:///run/x.sock',
      'http://c:2',
      'https://d:3',
      'http@unix:///Y',
    ];
    expect(await list(endpoints, '/_api/endpoint')).toBe(
      '[{"endpoint":"http://a:8529"},{"endpoint":"https://b:1"},{"endpoint":"unix:///run/x.sock"},' +
        '{"endpoint":"http://c:2"},{"endpoint":"https://d:3"},{"endpoint":"unix:///Y"}]',
    );
  });

  it('may list a wildcard address: a server does listen there', async () => {
    expect(await list(() => ['tcp://0.0.0.0', 'tcp://[::]:1'], '/_api/endpoint')).toBe(
      '[{"endpoint":"http://0.0.0.0:8529"},{"endpoint":"http://[::]:1"}]',
    );
  });

  it('is an empty array when the provider lists nothing', async () => {
    expect(await list([], '/_api/endpoint')).toBe('[]');
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

  it('a body on GET, the answer is the same JSON', async () => {
    const response = await supertest(serverOf({ endpoints: ['tcp://a'] }))
      .get('/_api/endpoint')
      .send({ endpoint: 'tcp://evil:1' });
    expect([response.status, response.text]).toEqual([200, '[{"endpoint":"http://a:8529"}]']);
  });
});
