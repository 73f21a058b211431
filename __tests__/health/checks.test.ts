import net from 'node:net';
import type { HealthDirectoryOptions } from '../../lib/health/index.js';
import { makeCertificate } from '../support/certificate.js';
import { goneEndpoint, healthDirectories } from '../support/health/health-directories.js';
import { foreverContinue } from '../support/check/listed-servers.js';
import { useResolvedName } from '../support/dns/resolved-name.js';
import { connectWith } from '../support/router/answering-server.js';
import { openSockets } from '../support/process/open-sockets.js';
import { until } from '../support/until.js';
import { FORBIDDEN, STARTING, UNAUTHORIZED, type Reply } from '../support/upstream/coordinator.js';

const { serve, check, closing } = healthDirectories();
const resolve = useResolvedName();
const FAR = { intervalMs: 600_000 };
/** Name servers may be slow to say that there is no such name. */
const PATIENT = { timeoutMs: 100_000, connectTimeoutMs: 100_000 };

/** What one check says of an endpoint: nothing when it is healthy, or else why not. */
async function verdict(endpoint: string, options: Partial<HealthDirectoryOptions> = {}): Promise<string | undefined> {
  const directory = await check([endpoint], { ...FAR, ...options });
  const result = directory.status().entries[0]?.check;
  await directory.close();
  return result?.state === 'up' ? undefined : String(result?.reason);
}

const status =
  (code: number): Reply =>
  (_req, res) =>
    res.writeHead(code, { Location: 'http://127.0.0.1:1/' }).end();
/** Answers every connection with these bytes, in pieces; `end` closes it behind them. */
async function raw(pieces: readonly string[], end = false): Promise<string> {
  const { address } = closing(
    await connectWith((socket) => {
      socket.once('data', () => {
        void (async () => {
          for (const piece of pieces) {
            socket.write(piece, 'latin1');
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          if (end) socket.end();
        })();
      });
    }),
  );
  return `tcp://${address}`;
}

describe('an HTTP check', () => {
  it.each<[string, Reply, unhealthy: string | undefined]>([
    ['200', [], undefined],
    ['204', status(204), undefined],
    ['a redirect, which is not followed', status(307), undefined],
    ['401', UNAUTHORIZED, undefined],
    ['403', FORBIDDEN, undefined],
    ['499', status(499), undefined],
    ['500', status(500), 'the answer is 500'],
    ['503', STARTING, 'the answer is 503'],
    ['599', status(599), 'the answer is 599'],
  ])('takes for healthy what is below 500: %s', async (_what, reply, unhealthy) => {
    await expect(verdict((await serve(reply)).endpoint)).resolves.toBe(unhealthy);
  });

  it('asks for the path with the headers, and for the host as the endpoint has it', async () => {
    const server = await serve([]);
    const headers = { Authorization: 'Bearer t0ken', 'X-A': 'é' };
    await verdict(server.endpoint, { check: { path: '/_api/version?details=true' }, headers });
    expect(server.requests).toStrictEqual(['GET /_api/version?details=true']);
    expect(server.headers).toStrictEqual([
      { host: server.endpoint.slice('tcp://'.length), connection: 'close', authorization: 'Bearer t0ken', 'x-a': 'é' },
    ]);
  });

  it('asks a function for the headers of every check', async () => {
    const server = await serve([]);
    let calls = 0;
    await check([server.endpoint], { headers: () => Promise.resolve({ 'X-Call': String((calls += 1)) }) });
    await until('3 checks', () => server.headers.length >= 3);
    expect(server.headers.slice(0, 3).map((headers) => headers['x-call'])).toStrictEqual(['1', '2', '3']);
  });

  it('fails when there are no headers, without a word of what they are', async () => {
    const server = await serve([]);
    const headers = (): Promise<never> => Promise.reject(new Error('the vault is sealed'));
    await expect(verdict(server.endpoint, { headers })).resolves.toBe('the vault is sealed');
    expect(server.requests).toStrictEqual([]);
  });

  it.each<[string, readonly string[], boolean, string | undefined]>([
    ['a status that comes in pieces', ['H', 'TTP/1', '.1 2', '00', ' OK\r\n'], false, undefined],
    ['a status of HTTP/1.0 without a reason', ['HTTP/1.0 200\r\n\r\n'], true, undefined],
    [
      'interim answers before it',
      ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n', 'HTTP/1.1 503 No\r\n'],
      false,
      'the answer is 503',
    ],
    ['a switch of protocols, unasked', ['HTTP/1.1 101 Switching Protocols\r\n\r\n'], false, 'the answer is 101'],
    ['noise', ['\x00\x01\x02'], false, 'the answer is not HTTP/1.1'],
    ['a greeting of another protocol', ['SSH-2.0-OpenSSH_9.2\r\n'], false, 'the answer is not HTTP/1.1'],
    ['more than 16,384 bytes', ['HTTP/1.1 2x'.padEnd(16_385, '\xc3\xa9')], false, 'the answer is not HTTP/1.1'],
    ['no more than 16,384', ['HTTP/1.1 2x'.padEnd(16_384)], true, 'the connection was closed without an answer'],
    ['nothing, and the end', [], true, 'the connection was closed without an answer'],
    ['half a status, and the end', ['HTTP/1.1 20'], true, 'the connection was closed without an answer'],
  ])('reads %s', async (_what, pieces, end, expected) => {
    await expect(verdict(await raw(pieces, end))).resolves.toBe(expected);
  });

  it('hears 20 answers before the answer, and no more', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    await expect(verdict(await raw([`${interim.repeat(20)}HTTP/1.1 200 OK\r\n`]))).resolves.toBeUndefined();
    const { address } = closing(
      await connectWith((socket) => socket.once('data', foreverContinue.bind(undefined, socket))),
    );
    const reason = 'more than 20 answers before the answer';
    await expect(verdict(`tcp://${address}`, PATIENT)).resolves.toBe(reason);
  });

  it('says why of each address of a name, when nobody listens at any', async () => {
    const { port } = new URL(await goneEndpoint());
    resolve('db.example', ['127.0.0.1', '127.0.0.2']);
    const reason = `connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`;
    await expect(verdict(`tcp://db.example:${port}`)).resolves.toBe(reason);
  });

  it('reads no more than the status of an answer that does not end', async () => {
    const server = await serve((_req, res) => {
      const timer = setInterval(() => res.write('a'.repeat(100_000)), 1);
      res.once('close', () => clearInterval(timer));
    });
    await expect(verdict(server.endpoint)).resolves.toBeUndefined();
    await until('the connection is closed', () => server.connections() === 0);
  });

  it('fails where nobody listens, where a name has no address, and where nobody answers', async () => {
    await expect(verdict(await goneEndpoint())).resolves.toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
    await expect(verdict('tcp://nobody.invalid', PATIENT)).resolves.toMatch(
      /^getaddrinfo (?:ENOTFOUND|EAI_AGAIN) nobody\.invalid$/,
    );
    const mute = await serve('silence');
    await expect(verdict(mute.endpoint, { timeoutMs: 50 })).resolves.toBe('no answer within 50 ms');
    await until('the connection is closed', () => mute.connections() === 0);
  });
});

it("A check with 'tcp' takes a connection for enough", async () => {
  const mute = await serve('silence');
  await expect(verdict(mute.endpoint, { check: 'tcp' })).resolves.toBeUndefined();
  expect(mute.requests).toStrictEqual([]);
  await expect(verdict(await goneEndpoint(), { check: 'tcp' })).resolves.toMatch(/^connect ECONNREFUSED/);
});

describe.each([[{}], [{ check: 'tcp' as const }]])('an ssl endpoint, with %j,', (options) =>
  it('is trusted by the given authority, under its own name or servername, and may ask for a certificate', async () => {
    const own = await makeCertificate();
    const asked: string[] = [];
    const SNICallback = (name: string, callback: (error: null) => void): void => callback((asked.push(name), null));
    const server = await serve([], Object.assign({ ca: own.cert, requestCert: true, SNICallback }, own));
    const tls = { ca: own.cert, cert: own.cert, key: own.key };
    const localhost = server.endpoint.replace('127.0.0.1', 'localhost');
    const verdicts = [
      await verdict(server.endpoint, { ...options, tls }),
      await verdict(localhost, { ...options, tls }),
      await verdict(server.endpoint, { ...options, tls: { ...tls, servername: 'localhost' } }),
    ];
    expect(verdicts).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual(['localhost', 'localhost']);
    const wrong = await verdict(server.endpoint, { ...options, tls: { ...tls, servername: 'db.example' } });
    expect(wrong).toContain('does not match');
    await expect(verdict(server.endpoint, options)).resolves.toMatch(/^self-signed certificate/);
    const plain = (await serve([])).endpoint.replace('tcp', 'ssl');
    await expect(verdict(plain, { ...options, tls })).resolves.not.toBeUndefined();
  }),
);

it('a check of your own gets the endpoint, taken apart, and a signal', async () => {
  const seen: unknown[] = [];
  await verdict('ssl://[::1]:8530', {
    check: (endpoint, signal) => {
      seen.push(endpoint, signal.aborted);
      return Promise.resolve('anything');
    },
  });
  expect(seen).toStrictEqual([{ scheme: 'ssl', host: '::1', port: 8530 }, false]);
});

describe('allow', () => {
  it.each<[HealthDirectoryOptions['allow'], string, boolean]>([
    [['127.0.0.0/8'], '127.0.0.1', true],
    [['127.0.0.1'], '127.0.0.1', true],
    [['10.0.0.0/8', 'fd00::/8', '::1'], '127.0.0.1', false],
    [['0.0.0.0/0'], '127.0.0.1', true],
    [['127.0.0.0/8', '::1'], 'localhost', true],
    [['10.0.0.0/8'], 'localhost', false],
    [['10.0.0.0/8'], '[::ffff:127.0.0.1]', false],
    [['127.0.0.0/8'], '[::ffff:127.0.0.1]', true],
    [['::ffff:127.0.0.0/104'], '127.0.0.1', true],
    [['::/0', '1:2:3:4:5:6:7:8'], '127.0.0.1', false],
    [(address) => address === '127.0.0.1', 'localhost', true],
    [() => false, '127.0.0.1', false],
    [() => false, 'localhost', false],
    // A promise is not true.
    [(() => Promise.resolve(true)) as never, '127.0.0.1', false],
  ])('%p lets a check connect to %s: %p', async (allow, host, allowed) => {
    const server = await serve([]);
    const endpoint = server.endpoint.replace('127.0.0.1', host);
    const options = allow === undefined ? {} : { allow };
    const reason = await verdict(endpoint, { ...options, check: 'tcp' });
    if (allowed) expect(reason).toBeUndefined();
    else {
      expect(reason).toMatch(/^option allow does not allow [\da-f.:, ]+$/);
      expect(server.connections()).toBe(0);
    }
  });

  it('lets a check connect by a name where Node asks for one address at a time', async () => {
    const family = net.getDefaultAutoSelectFamily();
    net.setDefaultAutoSelectFamily(false);
    try {
      const server = await serve([]);
      const endpoint = server.endpoint.replace('127.0.0.1', 'localhost');
      await expect(verdict(endpoint, { allow: ['127.0.0.0/8'] })).resolves.toBeUndefined();
      await expect(verdict(endpoint, { allow: ['10.0.0.0/8'] })).resolves.toMatch(/^option allow does not allow/);
    } finally {
      net.setDefaultAutoSelectFamily(family);
    }
  });

  it('gets the address that the name has, and the endpoint', async () => {
    const server = await serve([]);
    const seen: unknown[] = [];
    const { port } = new URL(server.url);
    await verdict(`tcp://localhost:${port}`, { allow: (address, endpoint) => seen.push([address, endpoint]) < 0 });
    expect(seen).toContainEqual(['127.0.0.1', { scheme: 'tcp', host: 'localhost', port: Number(port) }]);
  });

  it('a function that throws allows nothing', async () => {
    const allow = (): never => {
      throw new Error('no list of networks');
    };
    await expect(verdict('tcp://127.0.0.1:1', { allow })).resolves.toBe('no list of networks');
    await expect(verdict('tcp://localhost:1', { allow })).resolves.toBe('no list of networks');
  });

  it('names all addresses of a name of which none is allowed', async () => {
    resolve('db.example', ['10.0.0.1', '10.0.0.2']);
    const reason = 'option allow does not allow 10.0.0.1, 10.0.0.2';
    await expect(verdict('tcp://db.example', { allow: ['127.0.0.0/8'] })).resolves.toBe(reason);
  });

  it('a name without an address fails as without it', async () => {
    const options = { ...PATIENT, allow: ['0.0.0.0/0'] };
    await expect(verdict('tcp://nobody.invalid', options)).resolves.toMatch(/^getaddrinfo /);
  });
});

it('a listing cannot make a check go to a socket file, or use a scheme of its own', async () => {
  const server = await serve([
    'unix:///run/db.sock',
    'http+unix:///run/db.sock',
    'file:///etc/passwd',
    'gopher://127.0.0.1:70',
  ]);
  const { createUpstreamDirectory } = await import('../../lib/upstream/index.js');
  const source = closing(await createUpstreamDirectory({ servers: [server.url] }));
  const checked: unknown[] = [];
  await check(source, { ...FAR, check: (endpoint) => Promise.resolve(checked.push(endpoint)) });
  expect(checked).toStrictEqual([]);
  expect(source.status()).toMatchObject({ count: 0, skipped: 4 });
});

describe('sockets', () => {
  it('are closed after each check, however it ends', async () => {
    const servers = [await serve([]), await serve(STARTING), await serve('silence')];
    const before = openSockets();
    const directory = await check(
      servers.map(({ endpoint }) => endpoint),
      { intervalMs: 1, timeoutMs: 20 },
    );
    await until('20 checks of each', () => servers.every(({ requests }) => requests.length > 20));
    await directory.close();
    await until(
      'no socket is left',
      () => openSockets() <= before && servers.every(({ connections }) => connections() === 0),
    );
  });

  it('of a server that resets the connection are closed too', async () => {
    const server = await serve((req) => req.socket.resetAndDestroy());
    await expect(verdict(server.endpoint)).resolves.toBe('read ECONNRESET');
  });
});
