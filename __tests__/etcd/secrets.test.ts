import { inspect } from 'node:util';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { EtcdError } from '../support/etcd/fake-etcd-answers.js';
import { type FakeEtcdGateway, reply } from '../support/etcd/fake-etcd-gateway.js';
import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const PASSWORD = 'hunter2 "quoted"';

const scenario = etcdScenario();

async function guarded(shape: 'v1' | 'v2' = 'v1'): Promise<FakeEtcdGateway> {
  const gateway = await scenario.gateway(shape);
  gateway.auth = { name: 'lister', password: PASSWORD, tokens: new Set() };
  return gateway;
}

const auth = { username: 'lister', password: PASSWORD };

describe.each(['v1', 'v2'] as const)('user and password (grpc-gateway %s)', (shape) => {
  it('are given once for a token, which goes with every request', async () => {
    const gateway = await guarded(shape);
    gateway.put(A);
    const directory = await scenario.open([gateway.url], { auth, probeIntervalMs: 10 });
    await directory.register(B);
    await until('three probes', () => gateway.count('/v3/kv/range') > 3);
    expect(directory.provider()).toStrictEqual([A, B]);
    const asked = gateway.asked.filter(({ path }) => path === '/v3/auth/authenticate');
    expect(asked.map(({ body }) => body)).toStrictEqual([{ name: 'lister', password: PASSWORD }]);
  });

  it.each<[string, EtcdError]>([
    ['has run out', new EtcdError(16, 'etcdserver: invalid auth token', 401)],
    ['is older than a change of the users', new EtcdError(3, 'etcdserver: revision of auth store is old', 400)],
  ])('are given again when the token %s; nobody notices', async (_, refusal) => {
    const gateway = await guarded(shape);
    gateway.put(A);
    const directory = await scenario.open([gateway.url], { auth, probeIntervalMs: 10 });
    const events = eventsOf(directory);
    const old = new Set(gateway.auth?.tokens);
    gateway.override = ({ req, res }) => {
      if (!old.has(String(req.headers.authorization))) return false;
      gateway.refuse(res, refusal);
      return true;
    };
    await directory.register(B);
    await until('probes with the new token', () => gateway.count('/v3/kv/range') > 5);
    expect(gateway.count('/v3/auth/authenticate')).toBe(2);
    expect(events).toStrictEqual(['change']);
  });

  it("that are wrong fail at once, with etcd's own words", async () => {
    const gateway = await guarded(shape);
    const opening = createEtcdDirectory({
      hosts: [gateway.url],
      auth: { username: 'lister', password: 'wrong' },
      connectTimeoutMs: 600_000,
    });
    await expect(opening).rejects.toThrow(
      `etcd ${gateway.url}: etcdserver: authentication failed, invalid user ID or password`,
    );
    expect(gateway.count('/v3/auth/authenticate')).toBe(1);
  });
});

describe('authentication', () => {
  it('that etcd does not use fails at once when user and password are given', async () => {
    const gateway = await scenario.gateway();
    const opening = createEtcdDirectory({ hosts: [gateway.url], auth, connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(`etcd ${gateway.url}: etcdserver: authentication is not enabled`);
  });

  it('that etcd uses fails at once when none is given', async () => {
    const gateway = await guarded();
    const opening = createEtcdDirectory({ hosts: [gateway.url], connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(`etcd ${gateway.url}: etcdserver: user name is empty`);
  });

  it('is done at each host on its own, as one that has just started knows no token of another', async () => {
    const [first, second] = [await guarded(), await guarded()];
    const directory = await scenario.open([first.url, second.url], { auth });
    const { url } = first;
    await first.kill();
    await until('the second is watched', () => second.watches === 1);
    expect(second.count('/v3/auth/authenticate')).toBe(1);
    expect(directory.status().lastError).toMatch(new RegExp(`^etcd ${url}: `));
  });

  it('that hangs fails like any other request, and is tried anew', async () => {
    const gateway = await guarded();
    gateway.override = ({ path }) => path === '/v3/auth/authenticate' && gateway.count(path) === 1;
    const directory = await scenario.open([gateway.url], { auth, requestTimeoutMs: 300 });
    expect(directory.status()).toMatchObject({
      state: 'live',
      lastError: `etcd ${gateway.url}: no answer within 300 ms`,
    });
  });

  it('that is under way when the directory closes ends with it', async () => {
    const gateway = await guarded();
    gateway.override = ({ path }) => path === '/v3/auth/authenticate';
    const opening = createEtcdDirectory({ hosts: [gateway.url], auth, connectTimeoutMs: 300 });
    await expect(opening).rejects.toThrow('no answer within 300 ms');
    await until('the request was ended', () => gateway.asked.every(({ res }) => res.destroyed));
  });
});

describe('user, password and token', () =>
  it('are in no error, event or status, not even when the other side repeats them', async () => {
    const gateway = await guarded();
    const seen: unknown[] = [];
    const directory = await scenario.open([gateway.url], { auth, probeIntervalMs: 10, connectTimeoutMs: 3000 });
    for (const event of ['stale', 'live', 'skipped', 'change', 'expired'] as const) {
      directory.on(event, (...args: unknown[]) => seen.push(event, ...args));
    }
    const registration = await directory.register(A, { ttlSeconds: 2 });
    for (const event of ['lost', 'restored', 'retry'] as const) {
      registration.on(event, (...args: unknown[]) => seen.push(event, ...args));
    }
    const tokens = [...(gateway.auth?.tokens ?? [])];
    let turn = 0;
    gateway.override = ({ path, req, res, body }) => {
      const told = `${PASSWORD} ${String(req.headers.authorization)} ${tokens.join(' ')} ${JSON.stringify(body)} lister`;
      turn += 1;
      if (turn % 4 === 0) gateway.refuse(res, new EtcdError(14, told, 503));
      else if (turn % 4 === 1) reply(res, 502, told);
      else if (turn % 4 === 2) reply(res, 200, `{"header":oops ${told}`);
      else if (path === '/v3/watch' || path === '/v3/kv/range') {
        res.end(`${JSON.stringify({ result: { canceled: true, cancel_reason: told } })}\n`);
      } else return false;
      return true;
    };
    gateway.cut();
    seen.push(await directory.register(B).catch((error: unknown) => error));
    await until('the registration has failed', () => seen.includes('retry') && seen.includes('stale'));
    await until('many answers', () => turn > 40);
    seen.push(directory.status(), registration);
    const everything = inspect(seen, { depth: 20, showHidden: true });
    expect(everything).toContain('***');
    for (const secret of ['lister', 'hunter2', ...tokens, ...(gateway.auth?.tokens ?? [])])
      expect(everything).not.toContain(secret);
  }));
