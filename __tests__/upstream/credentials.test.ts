import { inspect } from 'node:util';
import { makeCertificate } from '../support/certificate.js';
import { next } from '../support/dns/srv-directories.js';
import { pause } from '../support/until.js';
import { sendJson, UNAUTHORIZED, type Reply } from '../support/upstream/coordinator.js';
import { polled, refusalOf, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';
const authorizations = (server: { headers: readonly { authorization?: string | undefined }[] }): unknown[] =>
  server.headers.map(({ authorization }) => authorization);

describe('headers', () => {
  it('are sent with every request', async () => {
    const server = await serve([A]);
    await list([server], { headers: { Authorization: 'Bearer t0ken', 'X-Tenant': 'one' } });
    expect(server.headers[0]).toMatchObject({
      authorization: 'Bearer t0ken',
      'x-tenant': 'one',
      accept: 'application/json',
    });
  });

  it('may come from a function, called once for every poll, however many servers are tried', async () => {
    const [first, second] = [await serve(UNAUTHORIZED), await serve([A])];
    first.reply([A]);
    let calls = 0;
    const directory = await list([first, second], {
      headers: async () => Promise.resolve({ Authorization: `Bearer token-${String((calls += 1))}` }),
    });
    await first.close();
    await polled(second, 1);
    const used = authorizations(second);
    expect(authorizations(first)[0]).toBe('Bearer token-1');
    expect(new Set(used).size).toBe(used.length);
    await directory.close();
    expect(calls).toBeLessThanOrEqual(first.requests.length + second.requests.length + 1);
  });

  it('are copied: a later change of the object changes no request', async () => {
    const server = await serve([A]);
    const headers = { Authorization: 'Bearer first' };
    await list([server], { headers });
    headers.Authorization = 'Bearer second';
    await polled(server, 1);
    expect(new Set(authorizations(server))).toStrictEqual(new Set(['Bearer first']));
  });

  it('a user and a password in a URL become Basic, unless headers has an Authorization', async () => {
    const server = await serve([A]);
    const url = server.url.replace('//', '//grace.h:openSesame@');
    await list([url], { pollIntervalMs: 600_000 });
    await list([url], { pollIntervalMs: 600_000, headers: { authorization: 'Bearer t0ken' } });
    expect(authorizations(server)).toStrictEqual(['Basic Z3JhY2UuaDpvcGVuU2VzYW1l', 'Bearer t0ken']);
  });

  it.each<[string, () => never, string]>([
    [
      'throws',
      () => {
        throw new Error('the vault is sealed');
      },
      'the vault is sealed',
    ],
    [
      'gives something else',
      () => 'Bearer t0ken' as never,
      'the headers function must give a Headers object or an object of valid header names and values, got a string',
    ],
  ])('a function that %s fails the poll', async (_how, headers, reason) => {
    const server = await serve([A]);
    const error = await refusalOf(list([server], { headers }));
    expect(error.message).toBe(
      `no list from the upstream: GET ${server.url}/_api/cluster/endpoints: no headers to ask with: ${reason}`,
    );
    expect(server.requests).toStrictEqual([]);
  });

  it('a function that answers after timeoutMs is too late: nothing is sent', async () => {
    const server = await serve([A]);
    let answer!: (headers: Record<string, string>) => void;
    const late = new Promise<Record<string, string>>((resolve) => {
      answer = resolve;
    });
    await refusalOf(list([server], { timeoutMs: 50, headers: () => late }));
    answer({ a: 'b' });
    await pause(20);
    expect(server.requests).toStrictEqual([]);
  });
});

describe('credentials', () => {
  const SECRETS = ['openSesame', 'grace.h', 'Z3JhY2UuaDpvcGVuU2VzYW1l', 'k3y-of-the-api'];
  /** A server that sends back all that it was sent. */
  const echo =
    (status: number): Reply =>
    (req, res) => {
      const said = JSON.stringify(req.headers);
      if (status === 200) {
        sendJson(res, 200, {
          error: false,
          code: 200,
          endpoints: [{ endpoint: A }, { endpoint: said }, { x: said, y: 1 }, said],
        });
      } else
        sendJson(res, status, {
          code: status,
          error: true,
          errorMessage: `you sent ${said}, decoded grace.h:openSesame`,
          errorNum: 11,
        });
    };
  const options = { headers: { 'X-Api-Key': 'k3y-of-the-api' } };

  it.each([401, 503])('stand in no error, though the server sends them back with %p', async (status) => {
    const server = await serve(echo(status));
    const error = await refusalOf(list([server.url.replace('//', '//grace.h:openSesame@')], options));
    for (const secret of SECRETS) expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
    expect(error.message).toContain('***');
  });

  it('stand in no event, no status and no list', async () => {
    const server = await serve([A]);
    const directory = await list([server.url.replace('//', '//grace.h:openSesame@')], options);
    const seen: unknown[] = [];
    directory.on('skipped', (refusals) => seen.push(refusals));
    directory.on('stale', (reason) => seen.push(reason));
    server.reply(echo(200));
    await next(directory, 'skipped');
    seen.push(directory.status());
    server.reply((req, res) =>
      res.writeHead(307, { Location: `http://127.0.0.1:1/${String(req.headers.authorization)}` }).end(),
    );
    await next(directory, 'stale');
    seen.push(directory.status(), directory.provider());
    const text = inspect(seen, { depth: 9, showHidden: true });
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain('***');
    expect(directory.provider()).toStrictEqual([A]);
  });

  it.each<[string, Record<string, string>]>([
    ['a password', { Authorization: `Basic ${btoa('root:cedar')}` }],
    ['a user', { Authorization: `Basic ${btoa('cedar:openSesame')}` }],
    ['the port', { Authorization: `Basic ${btoa('root:8529')}` }],
    ['a tenant', { 'X-Tenant': 'db.svc' }],
    ['a whole endpoint', { 'X-Api-Key': 'tcp://cedar-0.db.svc:8529' }],
  ])('leave an endpoint as it is, of which %s is a part', async (_what, headers) => {
    const server = await serve(['tcp://cedar-0.db.svc:8529']);
    const directory = await list([server], { headers });
    expect(directory.provider()).toStrictEqual(['tcp://cedar-0.db.svc:8529']);
    expect(directory.status()).toMatchObject({ state: 'live', skipped: 0 });
  });
});

it('tls trusts the given authority, under the name of the certificate, and shows a client certificate', async () => {
  const own = await makeCertificate();
  const server = await serve([A], { ...own, ca: own.cert, requestCert: true });
  for (const address of [server.url, server.endpoint]) {
    const directory = await list([address], {
      tls: { ca: own.cert, cert: own.cert, key: own.key, servername: 'localhost' },
    });
    expect(directory.provider()).toStrictEqual([A]);
  }
});
