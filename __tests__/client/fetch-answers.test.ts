import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fetchEndpoints, ListingError, type FetchEndpointsOptions } from '../../lib/client/index.js';
import { answerWith, connectWith, type AnsweringServer } from '../support/router/answering-server.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

let server: AnsweringServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The error that asking the server ends in, with the server's port out of its message. */
async function failure(options: FetchEndpointsOptions = {}, userInfo = ''): Promise<ListingError> {
  const address = server?.address ?? '';
  const error: unknown = await fetchEndpoints(`http://${userInfo}${address}/base`, options).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ListingError);
  const listingError = error as ListingError;
  listingError.message = listingError.message.replaceAll(address, 'host');
  return listingError;
}

/** What that error has, and what its message says behind the request. */
async function failed(options?: FetchEndpointsOptions): Promise<[properties: object, message: string]> {
  const error = await failure(options);
  return [Object.assign({}, error), error.message.replace('GET http://host/base/_api/cluster/endpoints: ', '')];
}

/** A server that answers every request with these bytes. */
async function answering(status: number, headers: Record<string, string>, body: string | Buffer): Promise<void> {
  server = await answerWith((_req, res) => {
    res.writeHead(status, headers).end(body);
  });
}

describe('an error of the server', () => {
  const body = { code: 403, errorNum: 1230, errorMessage: 'operation only allowed in system database' };

  it.each([403, 200])(
    'rejects with the code, errorNum and errorMessage of its body, with status %i',
    async (status) => {
      await answering(status, JSON_TYPE, JSON.stringify({ error: true, ...body }));
      expect(await failed()).toEqual([
        { name: 'ListingError', kind: 'refused', ...body },
        'the server refused with 403 / 1230: "operation only allowed in system database"',
      ]);
      expect(await failure()).not.toHaveProperty('cause');
    },
  );

  it.each<[string, number, Record<string, string>, string]>([
    ['in HTML', 502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'],
    ['without a content type', 401, {}, ''],
    ['in broken JSON', 500, JSON_TYPE, '{"error":tr'],
    ['in JSON that is no error body', 404, JSON_TYPE, '{"code":1,"message":"not found"}'],
    ['of null', 599, JSON_TYPE, 'null'],
    ['that is a listing', 500, JSON_TYPE, '[{"endpoint":"tcp://a:1"}]'],
    ['of success, but not 200', 202, JSON_TYPE, '[]'],
    ['without a body', 204, {}, ''],
    ['of a cache', 304, {}, ''],
  ])('%s rejects with the status alone', async (_name, status, headers, body) => {
    await answering(status, headers, body);
    expect(await failed()).toEqual([
      { name: 'ListingError', kind: 'refused', code: status },
      `the server refused with ${String(status)}`,
    ]);
  });
});

describe('an answer that is not a listing', () => {
  const TYPE = 'the content type must be application/json, got';
  const NO_JSON = 'the body is not JSON in UTF-8';
  const LIST = '[{"endpoint":"tcp://a:1"}]';

  it.each<[string, string | undefined, string | Buffer, string]>([
    ['HTML', 'text/html; charset=utf-8', '[]', `${TYPE} "text/html; charset=utf-8"`],
    ['a type that only begins as JSON does', 'application/jsonp', '[]', `${TYPE} "application/jsonp"`],
    ['a type that only ends as JSON does', 'x-application/json', '[]', `${TYPE} "x-application/json"`],
    ['no content type', undefined, '[]', `${TYPE} null`],
    ['an empty body', 'application/json', '', NO_JSON],
    ['HTML called JSON', 'application/json', '<html>', NO_JSON],
    ...Array.from(LIST.slice(1), (_, at): [string, string, string, string] => [
      `a listing cut after ${String(at + 1)} bytes`,
      'application/json',
      LIST.slice(0, at + 1),
      NO_JSON,
    ]),
    ['text that is not UTF-8', 'application/json', Buffer.from('[{"endpoint":"\xff"}]', 'latin1'), NO_JSON],
    ['a listing in UTF-16', 'application/json', Buffer.from('[]', 'utf16le'), NO_JSON],
    ['no list', 'application/json', '{"error":false}', 'attribute "endpoints" must be an array, got undefined'],
    [
      'a bad entry',
      'application/json',
      '[{"endpoint":"tcp://a:1"},{"endpoint":8529}]',
      '[1]: attribute "endpoint" must be a non-empty string, got number',
    ],
  ])('is malformed: %s', async (_name, type, body, message) => {
    await answering(200, type === undefined ? {} : { 'content-type': type }, body);
    expect(await failed()).toEqual([{ name: 'ListingError', kind: 'malformed' }, message]);
  });

  it('keeps what the JSON parser said as the cause', async () => {
    await answering(200, JSON_TYPE, '<html>');
    expect(String((await failure()).cause)).toMatch(/^SyntaxError: /);
  });
});

describe('a listing is read', () => {
  it.each<[string, Record<string, string>, string | Buffer]>([
    ['as application/json', { 'content-type': 'application/json' }, '[{"endpoint":"tcp://a:1"}]'],
    [
      'in any letter case of the type',
      { 'content-type': 'Application/JSON ;charset=UTF-8' },
      '[{"endpoint":"tcp://a:1"}]',
    ],
    ['behind a byte order mark', JSON_TYPE, '\ufeff[{"endpoint":"tcp://a:1"}]'],
    ['compressed', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync('[{"endpoint":"tcp://a:1"}]')],
  ])('%s', async (_name, headers, body) => {
    await answering(200, headers, body);
    await expect(fetchEndpoints(`http://${server?.address ?? ''}`)).resolves.toEqual(['tcp://a:1']);
  });

  it('in pieces, cut inside a character', async () => {
    const body = Buffer.from('[{"endpoint":"unix:///tmp/\u00e4\u{1f600}.sock"}]');
    server = await answerWith((_req, res) => {
      res.writeHead(200, JSON_TYPE);
      for (const byte of body) res.write(Buffer.of(byte));
      res.end();
    });
    const endpoints = await fetchEndpoints(`http://${server.address}`);
    expect(endpoints).toEqual(['unix:///tmp/\u00e4\u{1f600}.sock']);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const paths: unknown[] = [];
    server = await answerWith((req, res) => {
      paths.push(req.url);
      res.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await failed()).toEqual([
      { name: 'ListingError', kind: 'redirected', code: status },
      'the answer is a redirect to "/elsewhere", which is not followed',
    ]);
    expect(paths).toEqual(['/base/_api/cluster/endpoints']);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'without user-info and query',
      { location: 'https://user:openSesame@gateway.example/login?token=openSesame#x' },
      'to "https://***@gateway.example/login"',
    ],
    ['that has no target', {}, 'elsewhere'],
  ])('is named %s', async (_how, headers, where) => {
    await answering(302, headers, '');
    expect((await failed())[1]).toBe(`the answer is a redirect ${where}, which is not followed`);
  });

  it('may be hidden by a fetch that keeps to the letter of its standard', async () => {
    const hidden = Object.defineProperties(Response.error(), {
      type: { value: 'opaqueredirect' },
      headers: { value: new Headers() },
    });
    expect((await failure({ fetch: () => Promise.resolve(hidden) })).kind).toBe('redirected');
  });
});

it.each([600, 999])('a status that is none of HTTP is malformed: %i', async (status) => {
  await answering(status, JSON_TYPE, '[]');
  expect(await failed()).toMatchObject([{ kind: 'malformed' }, `the status ${String(status)} is not one of HTTP`]);
});

describe('no answer', () => {
  it('because nobody listens is an unreachable server', async () => {
    server = await answerWith(() => undefined);
    await server.close();
    expect(await failed()).toEqual([
      { name: 'ListingError', kind: 'unreachable' },
      'no answer: "connect ECONNREFUSED host"',
    ]);
    expect(String((await failure()).cause)).toBe('TypeError: fetch failed');
  });

  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  it.each<[string, string | undefined]>([
    ['the connection is closed at once', undefined],
    ['the answer is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['the headers break off', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['the body breaks off', `${HEAD}content-length: 100\r\n\r\n[{"endpoint"`],
    ['a chunk breaks off', `${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n[{"en`],
    ['a chunk has no size', `${HEAD}transfer-encoding: chunked\r\n\r\nx\r\n`],
  ])('because %s is an unreachable server', async (_name, bytes) => {
    server = await connectWith((socket) => {
      if (bytes === undefined) socket.destroy();
      else socket.once('data', () => socket.end(bytes));
    });
    expect(await failed()).toMatchObject([
      { kind: 'unreachable' },
      expect.stringMatching(/^no answer: "[^"]+"$/) as string,
    ]);
  });

  it('because the content is not compressed as it says is an unreachable server', async () => {
    await answering(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, '[]');
    expect((await failure()).message).toMatch(/: no answer: "incorrect header check"$/);
  });

  it('because the port is one that fetch never asks is an unreachable server', async () => {
    const asking = fetchEndpoints('http://127.0.0.1:6000');
    await expect(asking).rejects.toThrow('GET http://127.0.0.1:6000/_api/cluster/endpoints: no answer: "bad port"');
  });

  it.each<[unknown, string]>([
    [
      new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) }),
      '"ECONNREFUSED"',
    ],
    [new TypeError('fetch failed', { cause: { code: 'EPROTO' } }), '"EPROTO"'],
    [new TypeError('fetch failed', { cause: 'no route' }), '"no route"'],
    [new Error('the agent is closed'), '"the agent is closed"'],
    ['out of order', '"out of order"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ message: { toString: null } }, 'object'],
    [{ code: Symbol('CERT') }, 'object'],
    [Object.assign(new Error('not its name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), '"not its name"'],
  ])("because a fetch of one's own fails with %p is an unreachable server", async (reason, shown) => {
    const fetch: typeof globalThis.fetch = jest.fn().mockRejectedValue(reason);
    await expect(fetchEndpoints('http://127.0.0.1:1', { fetch })).rejects.toMatchObject({
      name: 'ListingError',
      kind: 'unreachable',
      message: `GET http://127.0.0.1:1/_api/cluster/endpoints: no answer: ${shown}`,
      cause: reason,
    });
  });

  it.each<[string, () => Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('not today');
      },
    ],
    ['gives no response', () => Promise.resolve(undefined as never)],
  ])("because a fetch of one's own %s is an unreachable server", async (_how, fetch) => {
    await expect(fetchEndpoints('http://127.0.0.1:1', { fetch })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('and no body is malformed', async () => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response(null, { headers: JSON_TYPE }));
    await expect(fetchEndpoints('http://127.0.0.1:1', { fetch })).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('credentials', () => {
  const secrets = ['openSesame', Buffer.from('root:openSesame').toString('base64')];
  const headers = { 'x-token': 'openSesame' };
  const listeners: Record<string, RequestListener> = {
    refused: (_req, res) => res.writeHead(401, JSON_TYPE).end('{"error":true,"code":401,"errorNum":11}'),
    malformed: (_req, res) => res.writeHead(200, JSON_TYPE).end('{}'),
    redirected: (_req, res) => res.writeHead(302, { location: '/' }).end(),
    'too-large': (_req, res) => res.writeHead(200, JSON_TYPE).end(' '.repeat(1000)),
    timeout: () => undefined,
    unreachable: (_req, res) => res.destroy(),
  };

  it.each(Object.entries(listeners))(
    'are in no error of kind %s, nor in its stack or causes',
    async (kind, listener) => {
      server = await answerWith(listener);
      const error = await failure(
        { headers, maxBytes: 999, timeoutMs: kind === 'timeout' ? 50 : 30_000 },
        'root:openSesame@',
      );
      expect(error.kind).toBe(kind);
      for (let shown: unknown = error; shown instanceof Error; shown = shown.cause) {
        for (const secret of secrets) {
          expect(shown.message).not.toContain(secret);
          expect(shown.stack).not.toContain(secret);
          expect(JSON.stringify(Object.assign({}, shown))).not.toContain(secret);
        }
      }
    },
  );

  describe('that a server repeats are hidden in what its error says', () => {
    const basic = `Basic ${Buffer.from('root:openSesame').toString('base64')}`;
    const body = (errorMessage: string): string =>
      JSON.stringify({ error: true, code: 401, errorNum: 11, errorMessage });

    it.each<[what: string, errorMessage: string, shown: string]>([
      ['the Authorization of the url', `no user for ${basic}`, 'no user for ***'],
      ['the value of another header', 'no token <key "1">', 'no token <***>'],
    ])('%s', async (_what, errorMessage, shown) => {
      await answering(401, JSON_TYPE, body(errorMessage));
      const error = await failure({ headers: { 'x-key': 'key "1"' } }, 'root:openSesame@');

      expect(error.errorMessage).toBe(shown);
      expect(error.message).toBe(
        `GET http://host/base/_api/cluster/endpoints: the server refused with 401 / 11: ${JSON.stringify(shown)}`,
      );
    });

    it('where the message is cut, too', async () => {
      await answering(401, JSON_TYPE, body(`${'x'.repeat(190)} ${basic}`));
      expect((await failure({}, 'root:openSesame@')).message).toMatch(/x{190} \*\*\*"$/);
    });

    it.each<[where: string, status: number, headers: Record<string, string>, body: string, message: RegExp]>([
      [
        'the target of a redirect',
        302,
        { location: '/x/key123' },
        '',
        /redirect to "\/x\/\*\*\*", which is not followed$/,
      ],
      ['the content type', 200, { 'content-type': 'text/key123' }, '', /, got "text\/\*\*\*"$/],
      ['the name of an attribute', 200, JSON_TYPE, '[{"key123":1}]', /attribute "\*\*\*" must be a non-empty string/],
    ])('in %s', async (_where, status, headers, body, message) => {
      await answering(status, headers, body);
      expect((await failure({ headers: { 'x-key': 'key123' } })).message).toMatch(message);
    });

    it('in what is said of an entry that is skipped', async () => {
      await answering(200, JSON_TYPE, '[{"key123":1}]');
      const reasons: string[] = [];
      const onSkipped = ({ message }: ListingError): number => reasons.push(message);
      expect(
        await fetchEndpoints(`http://${String(server?.address)}`, { headers: { 'x-key': 'key123' }, onSkipped }),
      ).toEqual([]);
      expect(reasons).toEqual(['attribute "***" must be a non-empty string, got number']);
    });

    it('but not in an endpoint, which is as it was sent', async () => {
      await answering(200, JSON_TYPE, '[{"endpoint":"tcp://key123:1"}]');
      expect(await fetchEndpoints(`http://${String(server?.address)}`, { headers: { 'x-key': 'key123' } })).toEqual([
        'tcp://key123:1',
      ]);
    });

    it('in what the parser of JSON says, which is no cause then', async () => {
      await answering(200, JSON_TYPE, 'key123');
      expect(await failure({ headers: { 'x-key': 'key123' } })).not.toHaveProperty('cause');
    });
  });

  it('what a server sends to move the cursor or to end the line is escaped in the message', async () => {
    await answering(500, JSON_TYPE, '{"error":true,"errorMessage":"a\\n\\u001b[2Jb\\u0085\\u202e"}');
    expect((await failure()).message).toMatch(/: "a\\n\\u001b\[2Jb\\u0085\\u202e"$/);
  });
});
