import type { Request, Response } from 'express';
import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Session, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createEndpointRouter, type EndpointProvider } from '../../lib/index.js';
import { nodeWarnings } from '../support/process/node-warnings.js';

interface Answer {
  readonly status: unknown;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

let server: Http2Server | undefined;
let session: ClientHttp2Session | undefined;
const warnings = nodeWarnings();

afterEach(async () => {
  session?.close();
  if (server !== undefined) {
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
  expect(await warnings()).toEqual([]);
});

async function open(endpoints: EndpointProvider): Promise<ClientHttp2Session> {
  const router = createEndpointRouter({ role: 'coordinator', endpoints });
  server = createServer((req, res) => {
    router(req as unknown as Request, res as unknown as Response, () => {
      res.statusCode = 299;
      res.end('not ours');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  session = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  return session;
}

async function ask(client: ClientHttp2Session, path: string, method = 'GET'): Promise<Answer> {
  const stream = client.request({ ':path': path, ':method': method });
  let body = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  const [{ ':status': status, ...headers }] = (await once(stream, 'response')) as [Record<string, unknown>];
  if (!stream.closed) await once(stream, 'close');
  return { status, headers, body };
}

describe('On a server of node:http2, without a warning of Node', () => {
  it.each<[string, EndpointProvider]>([
    ['answers at once', () => ['tcp://a:1']],
    ['answers later', () => Promise.resolve(['tcp://a:1'])],
  ])('the listing is answered by a provider that %s', async (_when, endpoints) => {
    const { status, headers, body } = await ask(await open(endpoints), '/_api/cluster/endpoints');
    expect([status, body]).toEqual([200, '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:1"}]}']);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-length': '65',
    });
  });

  it('requests are refused, and others passed on', async () => {
    const client = await open(() => []);
    expect(await ask(client, '/_api/endpoint', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect(await ask(client, '/_api/endpoint', 'HEAD')).toMatchObject({ status: 405, body: '' });
    expect(await ask(client, '/_db/other/_api/endpoint')).toMatchObject({ status: 400 });
    expect(await ask(client, '/other')).toMatchObject({ status: 299, body: 'not ours' });
  });

  it('a client that cancels its request aborts the signal of the provider', async () => {
    const aborted = new Promise<unknown>((resolve, reject) => {
      open(({ signal }) => {
        stream?.close();
        return new Promise((settle) =>
          signal.addEventListener('abort', () => {
            settle([]);
            resolve((signal.reason as Error).name);
          }),
        );
      })
        .then((client) => {
          stream = client.request({ ':path': '/_api/endpoint' });
          stream.on('error', reject);
        })
        .catch(reject);
    });
    let stream: ReturnType<ClientHttp2Session['request']> | undefined;
    expect(await aborted).toBe('AbortError');
  });
});
