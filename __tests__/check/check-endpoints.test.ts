import { makeCertificate } from '../support/certificate.js';
import { useListedServers } from '../support/check/listed-servers.js';
import { checkPatiently as checkEndpoints } from '../support/patience.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { answerWith } from '../support/router/answering-server.js';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { once } from 'node:events';

const servers = useListedServers();
const scratchFile = useScratchFolder();

describe('what checkEndpoints gives', () => {
  it('is data: the server, the listing, a result for each endpoint, and whether all can be used', async () => {
    const asked = await servers.plain();
    const gone = await servers.gone();
    servers.list = [asked, gone];
    const check = await checkEndpoints(asked);
    const ms = expect.any(Number) as number;
    const right = { result: 'ok', reachable: true, usable: true, ms, detail: 'lists the same 2' };
    const wrong = { result: 'refused', reachable: false, usable: false, ms, detail: 'nothing listens there' };
    expect(check).toEqual({
      ok: false,
      url: asked.replace('tcp:', 'http:'),
      listing: 'cluster',
      ms,
      usable: 1,
      endpoints: [
        { endpoint: asked, ...right },
        { endpoint: gone, ...wrong },
      ],
      warnings: [],
    });
    expect(JSON.parse(JSON.stringify(check))).toEqual(check);
  });

  it('is not ok when all endpoints are usable but a warning breaks drivers', async () => {
    const asked = await servers.plain();
    servers.list = [{ endpoint: asked, internal: asked }];
    await expect(checkEndpoints(asked)).resolves.toMatchObject({ ok: false, usable: 1 });
  });

  it('asks for the other listing, in the database that it is given, at the asked server and at each endpoint', async () => {
    const paths: (string | undefined)[] = [];
    const asked: string = await servers.plain((req, res) => {
      paths.push(req.url);
      servers.json(200, [{ endpoint: asked.replace('tcp:', 'http:') }])(req, res);
    });
    const check = await checkEndpoints(`${asked.replace('tcp:', 'http:')}/`, { listing: 'server', database: 'a b' });
    expect(check).toMatchObject({ ok: true, listing: 'server', database: 'a b' });
    expect(paths).toEqual(['/_db/a%20b/_api/endpoint', '/_db/a%20b/_api/endpoint', '/_db/a%20b/_api/endpoint']);
  });

  it('asks below the base path of the URL, and each endpoint at its root, as a driver does', async () => {
    const paths: (string | undefined)[] = [];
    const asked: string = await servers.plain((req, res) => {
      paths.push(req.url);
      servers.json(200, [{ endpoint: asked }])(req, res);
    });
    const { url } = await checkEndpoints(`${asked.replace('tcp:', 'http:')}/base`);
    expect(url).toBe(`${asked.replace('tcp:', 'http:')}/base`);
    const [base, root] = ['/base/_api/cluster/endpoints', '/_api/cluster/endpoints'];
    expect(paths).toEqual([base, root, base]);
  });

  it('tries a socket file of a single server', async () => {
    const path = scratchFile('a.sock');
    const listing = servers.json(200, [{ endpoint: `unix://${path}` }]);
    const server = createServer(listing).listen(path);
    await once(server, 'listening');
    const asked = await servers.plain(listing);
    const { endpoints } = await checkEndpoints(asked, { listing: 'server' });
    server.close();
    expect(endpoints).toMatchObject([{ endpoint: `unix://${path}`, result: 'ok' }]);
  });

  it('says so when a path of a socket is none', async () => {
    const asked = await servers.plain(servers.json(200, [{ endpoint: 'unix:///dev/null/a.sock' }]));
    const { endpoints } = await checkEndpoints(asked, { listing: 'server' });
    expect(endpoints).toMatchObject([{ result: 'refused', detail: 'connect ENOTDIR /dev/null/a.sock' }]);
  });
});

describe('credentials', () => {
  it('of the URL and headers of the options go to each endpoint', async () => {
    const sent: unknown[] = [];
    const asked: string = await servers.plain((req, res) => {
      sent.push([req.headers.authorization, req.headers['x-key']]);
      servers.json(200, [{ endpoint: asked }])(req, res);
    });
    const check = await checkEndpoints(asked.replace('tcp://', 'http://root:openSesame@'), {
      headers: { 'x-key': '1' },
    });
    expect(sent).toEqual(Array(3).fill(['Basic cm9vdDpvcGVuU2VzYW1l', '1']));
    expect(JSON.stringify(check)).not.toContain('openSesame');
  });

  it('that went to the asked server over TLS go to no endpoint without TLS', async () => {
    const sent: unknown[] = [];
    const plain = await servers.plain((req, res) => {
      sent.push([req.headers.accept, req.headers.authorization]);
      servers.answer(req, res);
    });
    const asked = await servers.secure(await makeCertificate());
    servers.list = [asked, plain];
    const headers = { authorization: 'Bearer openSesame' };
    const { endpoints } = await checkEndpoints(asked, { headers, insecure: true });
    expect(endpoints.map(({ result }) => result)).toEqual(['ok', 'ok']);
    expect(sent).toEqual([['application/json', undefined]]);
  });
});

it.each<[string, () => Promise<string>, string, RegExp]>([
  ['refused', () => servers.plain(servers.json(501, { error: true, code: 501, errorNum: 9 })), 'refused', /501 \/ 9/],
  ['gone', () => servers.gone(), 'unreachable', /ECONNREFUSED/],
  ['frozen', () => servers.frozen(), 'timeout', /no complete answer within 500 ms/],
  ['not JSON', () => servers.plain((_req, res) => res.end('hello')), 'malformed', /content type/],
  [
    'self-signed',
    async () => servers.secure(await makeCertificate()),
    'unreachable',
    /the certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  ],
])('no listing to check rejects with a ListingError that says why: %s', async (_state, start, kind, message) => {
  const timeoutMs = kind === 'timeout' ? 500 : 10_000;
  const error: unknown = await checkEndpoints(await start(), { timeoutMs }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'ListingError',
    kind,
    message: expect.stringMatching(message) as string,
  });
});

it.each<[options: object, message: string]>([
  [{ timeoutMs: 0 }, 'option timeoutMs must be a number of milliseconds above 0, up to 2147483647, or Infinity, got 0'],
  [{ insecure: 1 }, 'option insecure must be true or false, got 1'],
  [
    { tls: { cert: 'a', key: 'b' } },
    'option tls must have PEM certificates, and a key that fits cert, got something unusable',
  ],
])('a wrong option rejects with a TypeError that names it: %j', async (options, message) => {
  await expect(checkEndpoints('http://127.0.0.1:1', options)).rejects.toThrow(`checkEndpoints: ${message}`);
});

describe('a check in progress', () => {
  it('reports how many endpoints are done', async () => {
    const asked = await servers.plain();
    servers.list = [asked, await servers.gone(), 'tcp://a'];
    const progress: string[] = [];
    await checkEndpoints(asked, { onProgress: (done, total) => progress.push(`${String(done)}/${String(total)}`) });
    expect(progress).toEqual(['1/3', '2/3', '3/3']);
  });

  it('knows an answer that begins as the others do, and ends in another way, in pieces or shorter', async () => {
    const start = '[{"endpoint":"';
    const inPieces = (res: ServerResponse, text: string): void => {
      res.writeHead(200, { 'content-type': 'application/json' }).write(start);
      setImmediate(() => res.end(text));
    };
    const other = await servers.plain((_req, res) => inPieces(res, 'tcp://third:1"}]'));
    const asked: string = await servers.plain((_req, res) => inPieces(res, `${asked}"},{"endpoint":"${other}"}]`));
    const { endpoints } = await checkEndpoints(asked);
    expect(endpoints.map(({ detail }) => detail)).toEqual([
      'lists the same 2',
      `also lists tcp://third:1; does not list ${asked}, ${other}`,
    ]);
  });

  it.each(['listing', 'endpoints', 'second listing'])(
    'ends with the reason of the signal: during the %s',
    async (when) => {
      const leaving = new AbortController();
      const reason = new Error('enough');
      let turn = 0;
      const frozen = await servers.frozen();
      const asked: string = await servers.plain((req, res) => {
        turn += 1;
        if (when === 'listing' || turn === 3) leaving.abort(reason);
        else
          servers.json(
            200,
            (when === 'endpoints' ? [asked, frozen] : [asked]).map((endpoint) => ({ endpoint })),
          )(req, res);
        if (when === 'endpoints' && turn === 2) leaving.abort(reason);
      });
      await expect(checkEndpoints(asked, { signal: leaving.signal, timeoutMs: Infinity })).rejects.toBe(reason);
    },
  );

  it('tries 20 endpoints at a time', async () => {
    const open = new Set<Socket>();
    let most = 0;
    const hanging = await servers.connections((socket) => {
      most = Math.max(most, open.add(socket).size);
      socket.resume().on('close', () => open.delete(socket));
    }, '0.0.0.0');
    const asked = await servers.plain();
    servers.list = Array.from({ length: 50 }, (_, index) => hanging.replace('.0.0.1', `.1.0.${String(index)}`));
    const { endpoints } = await checkEndpoints(asked, { timeoutMs: 1000 });
    expect(new Set(endpoints.map(({ result }) => result))).toEqual(new Set(['timeout']));
    // The server may hear of the next connection before it hears that one has ended.
    expect(most).toBeGreaterThanOrEqual(20);
    expect(most).toBeLessThanOrEqual(40);
  });

  it('leaves no connection open when it has ended', async () => {
    const server = await answerWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify([{ endpoint: `tcp://${server.address}` }]));
    });
    await checkEndpoints(`tcp://${server.address}`);
    await server.allConnectionsGone();
    await server.close();
  });
});
