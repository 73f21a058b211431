import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { askEtcd, base64 } from '../support/etcd/etcd-ask.js';
import { makeEtcdCertificates } from '../support/etcd/etcd-certificates.js';
import { COORDINATOR, demandPasswords, ROOT, shortTokens, STRANGER } from '../support/etcd/etcd-users.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

let folder: string;

/** Long enough to show that a refusal does not wait for its end. */
const LONG_MS = 60_000;
const AT_ONCE_MS = 1000 + BUSY_MACHINE_MS;

async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  const startedAt = performance.now();
  const reason = await attempt.then(
    () => 'not refused',
    (error: unknown) => (error as Error).message,
  );
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  return reason;
}

describeWithEngines('etcd that does not let everybody in', ['etcd'], () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is followed for 15 s with tokens that end after 3 s: live all the time, with user and password', async () => {
    await withEtcd({ flags: await shortTokens(folder, 3) }, async ({ etcd, open }) => {
      const [node] = etcd.nodes;
      if (!node) throw new Error('no node');
      await demandPasswords(node.url);
      const auth = COORDINATOR;
      const { directory: own, history: ownHistory } = await open({ auth });
      const registration = await own.register(A, { ttlSeconds: 5 });
      const events: string[] = [];
      registration.on('lost', () => events.push('lost')).on('retry', ({ message }) => events.push(message));
      const { directory, history } = await open({ auth });
      await pause(15_000);
      const later = await own.register(B);
      await until('both are listed', () => directory.status().count === 2);
      await later.close();
      await until('one is listed', () => directory.status().count === 1);
      expect([history.states, ownHistory.states, events]).toStrictEqual([[], [], []]);
      expect(directory.status()).toMatchObject({ state: 'live', relists: 1 });
      expect(directory.status().lastError).toBeUndefined();
      const given = /^grpc_server_handled_total\{grpc_code="OK",grpc_method="Authenticate",.*\} (\d+)$/m;
      expect(Number(given.exec(await node.metrics('/metrics'))?.[1])).toBeGreaterThanOrEqual(6);
    });
  });

  it('refuses a wrong password, an unknown user, one without permission and one without password at once, in clear words', async () => {
    await withEtcd({}, async ({ etcd, open }) => {
      const url = etcd.urls[0] ?? '';
      await demandPasswords(url);
      const attempt = (auth: { username: string; password: string }, prefix = '/coordinators/') =>
        refusalOf(open({ auth, prefix, connectTimeoutMs: LONG_MS }));
      const invalid = `etcd ${url}: etcdserver: authentication failed, invalid user ID or password`;
      const denied = `etcd ${url}: etcdserver: permission denied`;
      expect(await attempt({ ...COORDINATOR, password: 'guessed' })).toBe(invalid);
      expect(await attempt({ ...COORDINATOR, username: 'nobody' })).toBe(invalid);
      expect(await attempt(STRANGER)).toBe(denied);
      expect(await attempt(COORDINATOR, '/elsewhere/')).toBe(denied);
      expect(await refusalOf(open({ connectTimeoutMs: LONG_MS }))).toBe(`etcd ${url}: etcdserver: user name is empty`);
      expect(await attempt(ROOT)).toBe('not refused');
    });
  });

  it('says that it has no users when user and password are given for nothing', async () => {
    await withEtcd({}, async ({ etcd, open }) => {
      expect(await refusalOf(open({ auth: COORDINATOR, connectTimeoutMs: LONG_MS }))).toBe(
        `etcd ${etcd.urls[0] ?? ''}: etcdserver: authentication is not enabled`,
      );
    });
  });

  it('is followed over TLS with a client certificate, on [::1]', async () => {
    const { flags, ...tls } = await makeEtcdCertificates(folder);
    await withEtcd({ origin: 'https://[::1]', flags }, async ({ etcd, open }) => {
      const url = etcd.urls[0] ?? '';
      expect(url).toMatch(/^https:\/\/\[::1\]:\d+$/);
      const { directory } = await open({ tls });
      await directory.register(A);
      await until('it is listed by its key', () => directory.status().events === 1);
      await askEtcd(url, '/v3/kv/put', { key: base64(`/coordinators/${B}`) }, tls);
      await until('both are listed', () => directory.status().count === 2);
      expect(directory.provider()).toStrictEqual([A, B]);

      const attempt = (given: { ca?: string } | undefined) =>
        refusalOf(createEtcdDirectory({ hosts: [url], connectTimeoutMs: LONG_MS, ...(given && { tls: given }) }));
      expect(await attempt(undefined)).toMatch(/^etcd https:\/\/\[::1\]:\d+: unable to verify the first certificate/);
      expect(await attempt({ ca: tls.ca })).toMatch(
        /^etcd https:\/\/\[::1\]:\d+: .*alert (bad certificate|certificate required)/s,
      );
    });
  });
});
