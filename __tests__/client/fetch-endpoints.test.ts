import type { IncomingMessage } from 'node:http';
import { fetchEndpoints } from '../../lib/client/index.js';
import { EndpointSyntaxError } from '../../lib/index.js';
import { answerWith, type AnsweringServer } from '../support/router/answering-server.js';

const CLUSTER_BODY = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}';

let server: AnsweringServer;
let requests: IncomingMessage[];

beforeEach(async () => {
  requests = [];
  server = await answerWith((req, res) => {
    requests.push(req);
    res.setHeader('content-type', 'application/json; charset=utf-8');
    res.end(req.url?.endsWith('/_api/endpoint') ? '[{"endpoint":"http://127.0.0.1:8529"}]' : CLUSTER_BODY);
  });
});

afterEach(async () => {
  await server.close();
});

describe('what is asked for', () => {
  it('is the cluster listing, in a single GET', async () => {
    await expect(fetchEndpoints(`http://${server.address}`)).resolves.toEqual(['tcp://10.0.0.1:8529']);
    expect(requests.map(({ method, url }) => `${String(method)} ${String(url)}`)).toEqual([
      'GET /_api/cluster/endpoints',
    ]);
  });

  it('is the listing of the server itself on request', async () => {
    const endpoints = await fetchEndpoints(`http://${server.address}`, { listing: 'server' });
    expect(endpoints).toEqual(['http://127.0.0.1:8529']);
    expect(requests[0]?.url).toBe('/_api/endpoint');
  });

  it.each([
    ['/', '/_api/cluster/endpoints'],
    ['/base', '/base/_api/cluster/endpoints'],
    ['/base/', '/base/_api/cluster/endpoints'],
    ['/a/b%20c/', '/a/b%20c/_api/cluster/endpoints'],
    ['/_db/_system', '/_db/_system/_api/cluster/endpoints'],
    ['/?', '/_api/cluster/endpoints'],
  ])('keeps the base path of the url: %s', async (path, asked) => {
    await fetchEndpoints(`http://${server.address}${path}`);
    expect(requests[0]?.url).toBe(asked);
  });

  it.each(['https://db.example.:1/base', 'ssl://db.example.:1'])('names no final dot of a host: %s', async (url) => {
    const asked: string[] = [];
    const fetch = (target: unknown): Promise<Response> => {
      asked.push(String(target));
      return Promise.resolve(Response.json([]));
    };
    await fetchEndpoints(url, { fetch });
    expect(new URL(String(asked)).host).toBe('db.example:1');
  });

  it.each([
    ['_system', '/base/_db/_system/_api/cluster/endpoints'],
    ['my db', '/base/_db/my%20db/_api/cluster/endpoints'],
    ['d\u00e4/b?#%2f', '/base/_db/d%C3%A4%2Fb%3F%23%252f/_api/cluster/endpoints'],
    ['...', '/base/_db/.../_api/cluster/endpoints'],
    ['%2e%2e', '/base/_db/%252e%252e/_api/cluster/endpoints'],
  ])('is put to the database %j, percent-encoded once', async (database, asked) => {
    await fetchEndpoints(`http://${server.address}/base`, { database });
    expect(requests[0]?.url).toBe(asked);
  });

  it('may be asked of a URL object', async () => {
    await expect(fetchEndpoints(new URL(`http://${server.address}/x/`))).resolves.toHaveLength(1);
    await expect(fetchEndpoints(new URL(`tcp://${server.address}`))).resolves.toHaveLength(1);
    expect(requests.map(({ url }) => url)).toEqual(['/x/_api/cluster/endpoints', '/_api/cluster/endpoints']);
  });

  it.each([
    ['tcp://db.example', 'http://db.example:8529/_api/cluster/endpoints'],
    ['ssl://db.example', 'https://db.example:8529/_api/cluster/endpoints'],
    ['ssl://[2001:DB8::1]:8530', 'https://[2001:db8::1]:8530/_api/cluster/endpoints'],
    ['http+ssl://db.example:1', 'https://db.example:1/_api/cluster/endpoints'],
    ['http://db.example', 'http://db.example/_api/cluster/endpoints'],
    ['https://db.example:8529/', 'https://db.example:8529/_api/cluster/endpoints'],
    ['https://db.example:443', 'https://db.example/_api/cluster/endpoints'],
  ])('of %s is asked at %s', async (url, asked) => {
    const urls: unknown[] = [];
    const fetch: typeof globalThis.fetch = (input) => {
      urls.push(input);
      return Promise.resolve(Response.json([]));
    };
    await fetchEndpoints(url, { fetch });
    expect(urls).toEqual([asked]);
  });
});

describe('the headers of the request', () => {
  it('ask for JSON, and carry no authorization unless one is given', async () => {
    await fetchEndpoints(`http://${server.address}`);
    expect(requests[0]?.headers.accept).toBe('application/json');
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    { Authorization: 'Bearer token', 'X-Trace': '1' },
    new Headers({ Authorization: 'Bearer token', 'x-trace': '1' }),
  ])('are the given ones, as an object or as Headers', async (headers) => {
    await fetchEndpoints(`http://${server.address}`, { headers });
    expect(requests[0]?.headers.authorization).toBe('Bearer token');
    expect(requests[0]?.headers['x-trace']).toBe('1');
  });

  it('may ask for another type', async () => {
    await fetchEndpoints(`http://${server.address}`, { headers: { ACCEPT: '*/*' } });
    expect(requests[0]?.headers.accept).toBe('*/*');
  });

  it('leave the given object as it was', async () => {
    const headers = new Headers({ 'x-trace': '1' });
    await fetchEndpoints(`http://user:password@${server.address}`, { headers });
    expect([...headers]).toEqual([['x-trace', '1']]);
  });

  it.each([
    ['root:openSesame', 'Basic cm9vdDpvcGVuU2VzYW1l'],
    ['root:', 'Basic cm9vdDo='],
    ['root', 'Basic cm9vdDo='],
    [':openSesame', 'Basic Om9wZW5TZXNhbWU='],
    ['us%40er:p%3Aa%2Fs%C3%A4', 'Basic dXNAZXI6cDphL3PDpA=='],
    ['user:100%', 'Basic dXNlcjoxMDAl'],
  ])('carry the user and password of the url as Basic authorization: %s', async (userInfo, authorization) => {
    await fetchEndpoints(`http://${userInfo}@${server.address}`);
    expect(requests[0]?.headers.authorization).toBe(authorization);
  });

  it('carry the given authorization rather than that of the url', async () => {
    const headers = { authorization: 'Bearer token' };
    await fetchEndpoints(`http://root:openSesame@${server.address}`, { headers });
    expect(requests[0]?.headers.authorization).toBe('Bearer token');
  });
});

describe('a url that cannot be asked', () => {
  it.each<[unknown, string]>([
    [undefined, 'the url must be a string or a URL, got undefined'],
    [42, 'the url must be a string or a URL, got number'],
    ['http://', 'the url "http://" is not valid'],
    ['http://host:99999', 'the url "http://host:99999" is not valid'],
    ['http://root:openSesame@host:port', 'the url "http://***@host:port" is not valid'],
    ['http://host/?a=1', 'the url must have no query and no fragment'],
    ['http://host/#top', 'the url must have no query and no fragment'],
    ['http://a%3Ab:openSesame@host', 'the user in the url must not contain a colon'],
    ['unix:///tmp/a.sock', 'the url "unix:///tmp/a.sock" is a unix socket: only TCP can be asked'],
  ])('%j rejects with a TypeError', async (url, message) => {
    await expect(fetchEndpoints(url as string)).rejects.toThrow(new TypeError(message));
    await expect(fetchEndpoints(url as string)).rejects.toBeInstanceOf(TypeError);
  });

  it.each([
    ['ftp://host', '"ftp://host" is not an endpoint: its scheme is unknown'],
    ['tcp://host/http://a', '"tcp://host/http://a" is not an endpoint: it has a path, a query or a fragment'],
    ['tcp://root:openSesame@host', '"tcp://***@host" is not an endpoint: it carries a user or a password'],
  ])('%j rejects with an EndpointSyntaxError', async (url, message) => {
    const allowed = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';
    const error: unknown = await fetchEndpoints(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EndpointSyntaxError);
    expect((error as Error).message).toBe(`${message}; allowed schemes: ${allowed}`);
  });
});
