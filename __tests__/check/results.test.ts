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
  it('is an endpoint that lists the same endpoints', async () => {
    await expect(resultOf(await servers.plain())).resolves.toEqual(['ok', 'lists the same 2']);
  });

  it('is one that lists them in another order and spelling', async () => {
    const endpoint = await servers.plain((req, res) => {
      const spelled = [...servers.list].reverse().map((text) => ({ endpoint: String(text).replace('tcp:', 'HTTP:') }));
      servers.json(200, spelled)(req, res);
    });
    await expect(resultOf(endpoint)).resolves.toEqual(['ok', 'lists the same 2']);
  });

  it('is one behind TLS with a certificate from an authority that the check trusts', async () => {
    const endpoint = await servers.secure(await makeCertificate({ ca: authority }));
    await expect(resultOf(endpoint, { tls: { ca: authority.cert } })).resolves.toEqual(['ok', 'lists the same 2']);
  });

  it('is one whose certificate is for the name that the check expects', async () => {
    const endpoint = await servers.secure(await makeCertificate({ ca: authority, name: 'db.example' }));
    const tls = { ca: authority.cert, servername: 'db.example' };
    await expect(resultOf(endpoint, { tls })).resolves.toEqual(['ok', 'lists the same 2']);
  });

  it('is one with any certificate when the check is insecure', async () => {
    const endpoint = await servers.secure(await makeCertificate());
    await expect(resultOf(endpoint, { insecure: true })).resolves.toEqual(['ok', 'lists the same 2']);
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

  it('says how long it took in whole milliseconds', async () => {
    const { ms } = await checkOf(await servers.plain());
    expect(Number.isInteger(ms) && ms >= 0).toBe(true);
  });
});

describe('syntax', () => {
  it.each([
    ['a:8529', 'it has no "<scheme>://"'],
    ['tcp://:8529', 'the host is empty'],
    ['tcp://fe80::1:8529', 'an IPv6 address must stand in brackets'],
    ['tcp://[fe80::1%eth0]:8529', 'it has a zone id or a percent sign'],
    ['tcp://a:70000', 'the port is outside 1 to 65535'],
    ['tcp://user:openSesame@a:8529', 'it carries a user or a password'],
    ['tcp://a', 'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https'],
    ['tcp://a:8529/', 'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https'],
    ['TCP://a:8529', 'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https'],
    ['http+tcp://a:8529', 'drivers read <scheme>://<host>:<port> only, with tcp, ssl, http or https'],
    ['unix:///run/a.sock', 'drivers take no unix socket from a cluster listing'],
  ])('is an endpoint that drivers cannot read: %s', async (endpoint, detail) => {
    await expect(resultOf(endpoint)).resolves.toEqual(['syntax', detail]);
  });
});

describe('dns', () => {
  it('is a host name that does not resolve', async () => {
    const [result, detail] = await resultOf('tcp://no-such-host.invalid:8529');
    expect(result).toBe('dns');
    expect(['the host name does not resolve', 'no name server answers for the host name']).toContain(detail);
  });
});

describe('refused', () => {
  it('is an address where nobody listens', async () => {
    await expect(resultOf(await servers.gone())).resolves.toEqual(['refused', 'nothing listens there']);
  });

  it('is a socket file that is not there, on the listing of a single server', async () => {
    const asked = await servers.plain();
    servers.list = ['unix:///nowhere/a.sock'];
    const { endpoints } = await checkEndpoints(asked, { ...options, listing: 'server' });
    expect(endpoints).toMatchObject([{ result: 'refused', detail: 'there is no such socket file here' }]);
  });
});

describe('timeout', () => {
  const brief = { timeoutMs: 2000 };

  it('is a server whose process is frozen', async () => {
    await expect(resultOf(await servers.frozen(), brief)).resolves.toEqual([
      'timeout',
      'connected, but no complete answer to the request',
    ]);
  });

  it('is an address from which nothing comes back', async () => {
    await expect(resultOf(await servers.blackHole(), brief)).resolves.toEqual([
      'timeout',
      'no answer to the connection: not reachable from here',
    ]);
  });

  it('is a server that never answers a TLS handshake', async () => {
    const endpoint = (await servers.frozen()).replace('tcp:', 'ssl:');
    await expect(resultOf(endpoint, brief)).resolves.toEqual([
      'timeout',
      'connected, but the TLS handshake got no answer',
    ]);
  });

  it('is a server that never ends its answer', async () => {
    const endpoint = await servers.plain((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('[');
    });
    await expect(resultOf(endpoint, brief)).resolves.toEqual([
      'timeout',
      'connected, but no complete answer to the request',
    ]);
  });
});

describe('tls', () => {
  it('is a self-signed certificate', async () => {
    await expect(resultOf(await servers.secure(await makeCertificate()))).resolves.toEqual([
      'tls',
      'certificate is self-signed, and not trusted',
    ]);
  });

  it('is a certificate from an authority that is not trusted', async () => {
    const endpoint = await servers.secure(await makeCertificate({ ca: authority }));
    await expect(resultOf(endpoint)).resolves.toEqual(['tls', 'certificate is from an authority that is not trusted']);
  });

  it('is a certificate that has expired, or is not valid yet', async () => {
    const tls = { ca: authority.cert };
    const past = { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') };
    const future = { notBefore: new Date('2090-01-01'), notAfter: new Date('2091-01-01') };
    const expired = await servers.secure(await makeCertificate({ ca: authority, ...past }));
    await expect(resultOf(expired, { tls })).resolves.toEqual(['tls', 'certificate has expired']);
    const early = await servers.secure(await makeCertificate({ ca: authority, ...future }));
    await expect(resultOf(early, { tls })).resolves.toEqual(['tls', 'certificate is not valid yet']);
  });

  it('is a certificate for another name', async () => {
    const endpoint = await servers.secure(await makeCertificate({ ca: authority, name: 'db.example' }));
    await expect(resultOf(endpoint, { tls: { ca: authority.cert } })).resolves.toEqual([
      'tls',
      'certificate is for db.example, not 127.0.0.1',
    ]);
  });

  it('is a certificate for no name at all', async () => {
    const endpoint = await servers.secure(await makeCertificate({ ca: authority, name: '' }));
    await expect(resultOf(endpoint, { tls: { ca: authority.cert } })).resolves.toEqual([
      'tls',
      'certificate is for no name, not 127.0.0.1',
    ]);
  });

  it('is plain HTTP behind ssl://', async () => {
    const endpoint = (await servers.plain()).replace('tcp:', 'ssl:');
    await expect(resultOf(endpoint)).resolves.toEqual([
      'tls',
      'plain HTTP behind ssl://: the server answers without TLS',
    ]);
  });

  it('is a server that hangs up during the handshake', async () => {
    const endpoint = await servers.connections((socket) => socket.once('data', () => socket.destroy()));
    const [result, detail] = await resultOf(endpoint.replace('tcp:', 'ssl:'));
    expect(result).toBe('tls');
    expect(detail).toMatch(/^the TLS handshake failed: /);
  });
});

describe('http', () => {
  const http2Only = ['http', 'the server speaks HTTP/2 only, drivers speak HTTP/1.1'];
  const tlsOnly = ['http', 'TLS behind tcp://: the server answers only with TLS'];

  it('is TLS behind tcp://', async () => {
    const endpoint = await servers.secure(await makeCertificate());
    await expect(resultOf(endpoint.replace('ssl:', 'tcp:'))).resolves.toEqual(tlsOnly);
  });

  it('is HTTP/2 only, without and with TLS', async () => {
    await expect(resultOf(await servers.http2())).resolves.toEqual(http2Only);
    const secure = await servers.secureHttp2(await makeCertificate());
    await expect(resultOf(secure, { insecure: true })).resolves.toEqual(http2Only);
  });

  it('is another protocol', async () => {
    const endpoint = await servers.connections((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const [result, detail] = await resultOf(endpoint);
    expect(result).toBe('http');
    expect(detail).toMatch(/^no HTTP\/1\.1 answer: Parse Error: /);
  });
});

describe('status', () => {
  const error = (code: number, errorNum: number, errorMessage: string): object => ({
    code,
    error: true,
    errorMessage,
    errorNum,
  });

  it.each<[number, unknown, string]>([
    [401, error(401, 11, 'not authorized'), 'reachable, but asks for a user and a password (401)'],
    [501, error(501, 9, 'not implemented'), 'reachable, but is not a Coordinator (501/9)'],
    [403, error(403, 1230, 'only in _system'), 'reachable, but refuses with 403/1230: only in _system'],
    [503, '<h1>', 'reachable, but refuses with 503'],
    [200, { error: true }, 'reachable, but refuses'],
    [200, { error: true, errorNum: 11 }, 'reachable, but refuses with 11'],
    [200, { a: 1 }, 'reachable, but attribute "endpoints" must be an array, got undefined'],
  ])('is an answer that is no listing: %d %j', async (status, body, detail) => {
    await expect(resultOf(await servers.plain(servers.json(status, body)))).resolves.toEqual(['status', detail]);
  });

  it('is a redirect, or a page for people', async () => {
    const redirect = await servers.plain((_req, res) => res.writeHead(302, { location: 'http://a/login' }).end());
    await expect(resultOf(redirect)).resolves.toEqual([
      'status',
      'reachable, but the answer is a redirect to "http://a/login", which is not followed',
    ]);
    const page = await servers.plain((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
    await expect(resultOf(page)).resolves.toEqual([
      'status',
      'reachable, but the content type must be application/json, got "text/html"',
    ]);
  });

  it('is a 400 without TLS behind it', async () => {
    const endpoint = await servers.plain((_req, res) => res.writeHead(400).end());
    await expect(resultOf(endpoint)).resolves.toEqual(['status', 'reachable, but refuses with 400']);
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
    const fewer: string = await servers.plain((req, res) => {
      servers.json(200, [{ endpoint: fewer }])(req, res);
    });
    const [result, detail] = await resultOf(fewer);
    expect([result, detail]).toEqual(['differs', `does not list ${String(servers.list[0])}`]);
  });

  // Each endpoint that is read is frozen.
  it('reads no list anew for each of those that list little', async () => {
    const other = await servers.plain(servers.json(200, [{ endpoint: 'tcp://c:1' }]), '0.0.0.0');
    const asked = await servers.plain();
    servers.list = Array.from({ length: 60 }, (_, index) => other.replace('.0.0.1', `.0.0.${String(index + 1)}`));
    const freeze = jest.spyOn(Object, 'freeze');
    const { endpoints } = await checkEndpoints(asked);
    const frozen = freeze.mock.calls.length;
    freeze.mockRestore();
    expect(endpoints.map(({ detail }) => detail)).toEqual(
      Array(60).fill(`also lists tcp://c:1; does not list ${servers.list.slice(0, 3).join(', ')} and 57 more`),
    );
    expect(frozen).toBeLessThan(60 * 10);
  });

  it('names three of each at most', async () => {
    const many = ['tcp://a:1', 'tcp://b:1', 'tcp://c:1', 'tcp://d:1', 'tcp://e:1'].map((endpoint) => ({ endpoint }));
    const other = await servers.plain((req, res) => {
      servers.json(200, [...servers.list.map((endpoint) => ({ endpoint })), ...many])(req, res);
    });
    await expect(resultOf(other)).resolves.toEqual([
      'differs',
      'also lists tcp://a:1, tcp://b:1, tcp://c:1 and 2 more',
    ]);
  });
});

describe('an answer from elsewhere', () => {
  it('puts no control character into a detail', async () => {
    const endpoint = await servers.plain(servers.json(500, { error: true, errorMessage: 'a\u001b[2Jb\u009bc\u202e' }));
    await expect(resultOf(endpoint)).resolves.toEqual([
      'status',
      'reachable, but refuses with 500: a\\u001b[2Jb\\u009bc\\u202e',
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

describe('a name with two addresses', () => {
  it('says why of each, when nobody can be reached at either', async () => {
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
});
