import type { Socket } from 'node:net';
import { checkEndpoints, type CheckEndpointsOptions, type EndpointCheck } from '../../lib/client/index.js';
import { makeCertificate, type Certificate } from '../support/certificate.js';
import { foreverContinue, useListedServers } from '../support/check/listed-servers.js';
import { useResolvedName } from '../support/dns/resolved-name.js';

const servers = useListedServers();
const resolve = useResolvedName();
let authority: Certificate;
const options: CheckEndpointsOptions = { timeoutMs: 10_000 };

beforeAll(async () => {
  authority = await makeCertificate({ name: 'test authority', isAuthority: true });
});

/** The check of one endpoint that stands on the list of a server which is all right. */
async function checkOf(endpoint: string, more: CheckEndpointsOptions = {}): Promise<EndpointCheck> {
  const asked = await servers.plain();
  servers.list = [asked, endpoint];
  const { endpoints } = await checkEndpoints(asked, { ...options, ...more });
  expect(endpoints[0]).toMatchObject({ endpoint: asked, result: 'ok' });
  const check = endpoints[1];
  if (check === undefined) throw new Error('the endpoint has no result');
  return check;
}

/** What a person reads about an endpoint. */
async function resultOf(endpoint: string, more: CheckEndpointsOptions = {}): Promise<[string, string]> {
  const check = await checkOf(endpoint, more);
  expect(check).toMatchObject({
    endpoint,
    reachable: /ok|differs|status/.test(check.result),
    usable: check.result === 'ok',
  });
  return [check.result, check.detail];
}

describe('ok', () => {
  it.each<[what: string, start: () => Promise<string>, more?: () => CheckEndpointsOptions]>([
    ['that lists the same endpoints', () => servers.plain()],
    [
      'that lists them in another order and spelling',
      () =>
        servers.plain((req, res) => {
          const texts = servers.list.map((text) => String(text).replace('tcp:', 'HTTP:')).reverse();
          servers.json(
            200,
            texts.map((endpoint) => ({ endpoint })),
          )(req, res);
        }),
    ],
    [
      'behind TLS with a certificate from an authority that the check trusts',
      async () => servers.secure(await makeCertificate({ ca: authority })),
      () => ({ tls: { ca: authority.cert } }),
    ],
    [
      'whose certificate is for the name that the check expects',
      async () => servers.secure(await makeCertificate({ ca: authority, name: 'db.example' })),
      () => ({ tls: { ca: authority.cert, servername: 'db.example' } }),
    ],
    [
      'with any certificate when the check is insecure',
      async () => servers.secure(await makeCertificate()),
      () => ({ insecure: true }),
    ],
  ])('is one %s, in whole milliseconds', async (_what, start, more = () => ({})) => {
    const { result, detail, ms } = await checkOf(await start(), more());
    expect([result, detail, Number.isInteger(ms) && ms >= 0]).toEqual(['ok', 'lists the same 2', true]);
  });

  it('is one that lists whoever joined while the check ran', async () => {
    const asked = await servers.plain();
    const joined = await servers.plain();
    const grown = await servers.plain((req, res) => {
      servers.list = [asked, grown, joined];
      servers.answer(req, res);
    });
    servers.list = [asked, grown];
    const { endpoints } = await checkEndpoints(asked, options);
    expect(endpoints.map(({ endpoint, result }) => [endpoint, result])).toEqual([
      [asked, 'ok'],
      [grown, 'ok'],
    ]);
  });
});

it.each([
  ['a:8529', 'it has no "<scheme>://"'],
  ['tcp://:8529', 'the host is empty'],
  ['tcp://fe80::1:8529', 'an IPv6 address must stand in brackets'],
  ['tcp://[fe80::1%eth0]:8529', 'it has a zone id or a percent sign'],
  ['tcp://a:70000', 'the port is outside 1 to 65535'],
  ['tcp://user:openSesame@a:8529', 'it carries a user or a password'],
  ...['tcp://a', 'tcp://a:8529/', 'TCP://a:8529', 'http+tcp://a:8529'].map((endpoint) => [
    endpoint,
    'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https',
  ]),
  ['unix:///run/a.sock', 'drivers take no unix socket from a cluster listing'],
])('syntax is an endpoint that drivers cannot read: %s', async (endpoint = '', detail) => {
  await expect(resultOf(endpoint)).resolves.toEqual(['syntax', detail]);
});

it('dns is a host name that does not resolve', async () => {
  const [result, detail] = await resultOf('tcp://no-such-host.invalid:8529', { timeoutMs: 60_000 });
  expect(result).toBe('dns');
  expect(['the host name does not resolve', 'no name server answers for the host name']).toContain(detail);
});

it('refused is a socket file that is not there, on the listing of a single server', async () => {
  const asked = await servers.plain();
  servers.list = ['unix:///nowhere/a.sock'];
  const { endpoints } = await checkEndpoints(asked, { ...options, listing: 'server' });
  expect(endpoints).toMatchObject([{ result: 'refused', detail: 'there is no such socket file here' }]);
});

describe('an endpoint that gives no answer', () => {
  const brief = { timeoutMs: 2000 };
  const trusting = (): CheckEndpointsOptions => ({ tls: { ca: authority.cert } });
  const certified = async (more: object): Promise<string> =>
    servers.secure(await makeCertificate({ ca: authority, ...more }));
  const inClear = async (endpoint: Promise<string>): Promise<string> => (await endpoint).replace('ssl:', 'tcp:');
  const asTls = async (endpoint: Promise<string>): Promise<string> => (await endpoint).replace('tcp:', 'ssl:');
  const HTTP2 = 'the server speaks HTTP/2 only, drivers speak HTTP/1.1';

  it.each<[result: string, what: string, detail: string, start: () => Promise<string>, more?: CheckEndpointsOptions]>([
    ['refused', 'an address where nobody listens', 'nothing listens there', () => servers.gone()],
    [
      'timeout',
      'a server whose process is frozen',
      'connected, but no complete answer to the request',
      () => servers.frozen(),
      brief,
    ],
    [
      'timeout',
      'an address from which nothing comes back',
      'no answer to the connection: not reachable from here',
      () => servers.blackHole(),
      brief,
    ],
    [
      'timeout',
      'a server that never answers a TLS handshake',
      'connected, but the TLS handshake got no answer',
      () => asTls(servers.frozen()),
      brief,
    ],
    [
      'timeout',
      'a server that never ends its answer',
      'connected, but no complete answer to the request',
      () => servers.plain((_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).write('[')),
      brief,
    ],
    [
      'tls',
      'plain HTTP behind ssl://',
      'plain HTTP behind ssl://: the server answers without TLS',
      () => asTls(servers.plain()),
    ],
    [
      'http',
      'TLS behind tcp://',
      'TLS behind tcp://: the server answers only with TLS',
      async () => inClear(servers.secure(await makeCertificate())),
    ],
    ['http', 'HTTP/2 only, without TLS', HTTP2, () => servers.http2()],
    [
      'http',
      'HTTP/2 only, with TLS',
      HTTP2,
      async () => servers.secureHttp2(await makeCertificate()),
      { insecure: true },
    ],
  ])('is %s: %s', async (result, _what, detail, start, more = {}) => {
    await expect(resultOf(await start(), more)).resolves.toEqual([result, detail]);
  });

  it.each<[detail: string, certificate: object, more?: () => CheckEndpointsOptions]>([
    ['is self-signed, and not trusted', { ca: undefined }],
    ['is from an authority that is not trusted', {}],
    ['has expired', { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') }, trusting],
    ['is not valid yet', { notBefore: new Date('2090-01-01'), notAfter: new Date('2091-01-01') }, trusting],
    ['is for db.example, not 127.0.0.1', { name: 'db.example' }, trusting],
    ['is for no name, not 127.0.0.1', { name: '' }, trusting],
  ])('is tls: its certificate %s', async (detail, certificate, more = () => ({})) => {
    await expect(resultOf(await certified(certificate), more())).resolves.toEqual(['tls', `certificate ${detail}`]);
  });

  it('is tls: a server that hangs up during the handshake', async () => {
    const endpoint = servers.connections((socket) => socket.once('data', () => socket.destroy()));
    const [result, detail] = await resultOf(await asTls(endpoint));
    expect([result, detail]).toEqual(['tls', expect.stringMatching(/^the TLS handshake failed: /)]);
  });

  it('is http: another protocol', async () => {
    const endpoint = await servers.connections((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const [result, detail] = await resultOf(endpoint);
    expect([result, detail]).toEqual(['http', expect.stringMatching(/^no HTTP\/1\.1 answer: Parse Error: /)]);
  });
});

describe('status', () => {
  const error = (code: number, errorNum: number, errorMessage: string): object => ({
    code,
    error: true,
    errorMessage,
    errorNum,
  });

  it.each<[number, unknown, string, headers?: Record<string, string>]>([
    [401, error(401, 11, 'not authorized'), 'asks for a user and a password (401)'],
    [501, error(501, 9, 'not implemented'), 'is not a Coordinator (501/9)'],
    [501, error(501, 11, 'no'), 'refuses with 501/11: no'],
    [403, error(403, 1230, 'only in _system'), 'refuses with 403/1230: only in _system'],
    [400, '', 'refuses with 400'],
    [503, '<h1>', 'refuses with 503'],
    [500, { error: true, errorMessage: 'a\u001b[2Jb\u009bc\u202e' }, 'refuses with 500: a\\u001b[2Jb\\u009bc\\u202e'],
    [200, { error: true }, 'refuses'],
    [200, { error: true, errorNum: 11 }, 'refuses with 11'],
    [200, { a: 1 }, 'attribute "endpoints" must be an array, got undefined'],
    [200, '', 'the content type must be application/json, got "text/html"', { 'content-type': 'text/html' }],
    [302, '', 'the answer is a redirect elsewhere, which is not followed'],
    [302, '', 'the answer is a redirect to "http://a/login", which is not followed', { location: 'http://a/login' }],
  ])('is an answer that is no listing: %d %j', async (status, body, detail, headers = {}) => {
    const endpoint = await servers.plain((_req, res) => {
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
    await expect(resultOf(endpoint)).resolves.toEqual(['status', `reachable, but ${detail}`]);
  });
});

describe('differs', () => {
  it('is an endpoint that lists others, and says which', async () => {
    const other = await servers.plain(servers.json(200, [{ endpoint: 'tcp://c:1' }]));
    const [result, detail] = await resultOf(other);
    const [asked] = servers.list as string[];
    expect([result, detail]).toEqual(['differs', `also lists tcp://c:1; does not list ${String(asked)}, ${other}`]);
  });

  it('names who is missing when there is nobody else', async () => {
    const fewer: string = await servers.plain((req, res) => servers.json(200, [{ endpoint: fewer }])(req, res));
    await expect(resultOf(fewer)).resolves.toEqual(['differs', expect.stringMatching(/^does not list tcp:\S+$/)]);
  });

  // Each endpoint that is read is frozen.
  it('reads no list anew for each of those that list little, of which each lists another', async () => {
    const other = await servers.plain(
      (req, res) => servers.json(200, [{ endpoint: `tcp://${String(req.socket.localAddress)}:1` }])(req, res),
      '0.0.0.0',
    );
    const asked = await servers.plain();
    const list = Array.from({ length: 60 }, (_, index) => other.replace('.0.0.1', `.0.0.${String(index + 1)}`));
    servers.list = list;
    const freeze = jest.spyOn(Object, 'freeze');
    const { endpoints } = await checkEndpoints(asked, options);
    const frozen = freeze.mock.calls.length;
    freeze.mockRestore();
    expect(endpoints.map(({ detail }) => detail)).toEqual(
      list.map((each) => {
        const its = each.replace(/\d+$/, '1');
        return `also lists ${its}; does not list ${list.slice(0, 3).join(', ')} and 57 more`;
      }),
    );
    expect(frozen).toBeLessThan(60 * 10);
  });

  it('names three of each at most', async () => {
    const many = ['tcp://a:1', 'tcp://b:1', 'tcp://c:1', 'tcp://d:1', 'tcp://e:1'].map((endpoint) => ({ endpoint }));
    const other = await servers.plain((req, res) =>
      servers.json(200, [...servers.list.map((endpoint) => ({ endpoint })), ...many])(req, res),
    );
    await expect(resultOf(other)).resolves.toEqual([
      'differs',
      'also lists tcp://a:1, tcp://b:1, tcp://c:1 and 2 more',
    ]);
  });
});

describe('a connection that ends without a complete answer', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
  const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\n';

  it.each<[string, string, (socket: Socket, chunk: Buffer) => unknown, string]>([
    ['a switch of protocols', `${SWITCH}Upgrade: x\r\nConnection: Upgrade\r\n\r\n`, () => 0, 'the server switches'],
    ['a switch that names no protocol', `${SWITCH}\r\n`, () => 0, 'the server switches'],
    ['the end before a head', '', (socket) => socket.end(), 'socket hang up'],
    ['the end within a head', HEAD.slice(0, 30), (socket) => socket.end(), 'socket hang up'],
    ['a reset before a head', '', (socket) => socket.resetAndDestroy(), 'read ECONNRESET'],
    ['the end within a body', `${HEAD}[`, (socket) => socket.end(), 'aborted'],
    ['a reset within a body', `${HEAD}[`, (socket) => setTimeout(() => socket.resetAndDestroy(), 50), 'aborted'],
    // 22 is the first byte of a TLS handshake.
    [
      'noise, and silence where TLS is tried',
      '',
      (socket, chunk) => chunk[0] === 22 || socket.end('noise'),
      'Parse Error',
    ],
    ['answers before the answer, for ever', '', foreverContinue, 'more than 20 answers before the answer'],
  ])('%s, settles without a time limit, as http', async (_what, head, then, reason) => {
    const endpoint = await servers.connections((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (chunk: Buffer) => {
          socket.write(head);
          then(socket, chunk);
        });
    });
    const [result, detail] = await resultOf(endpoint, { timeoutMs: Infinity });
    expect([result, detail]).toEqual(['http', expect.stringContaining(`no HTTP/1.1 answer: ${reason}`)]);
  });
});

it('a name with two addresses says why of each, when nobody can be reached at either', async () => {
  const port = new URL(await servers.gone()).port;
  resolve('db.example', ['127.0.0.1', '127.0.0.2']);
  await expect(resultOf(`tcp://db.example:${port}`)).resolves.toEqual([
    'refused',
    '127.0.0.1: nothing listens there; 127.0.0.2: nothing listens there',
  ]);
  await expect(checkEndpoints(`http://db.example:${port}`)).rejects.toThrow(
    `no answer: "connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}"`,
  );
});
