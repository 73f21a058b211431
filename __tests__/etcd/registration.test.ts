import { EtcdError } from '../support/etcd/fake-etcd-answers.js';
import { bodies, etcdScenario, happeningsOf } from '../support/etcd/etcd-scenario.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

describe('registering', () => {
  it('puts prefix and endpoint on a lease of 15 s, and lists it for others', async () => {
    const gateway = await scenario.gateway();
    const [own, other] = [await scenario.open([gateway.url]), await scenario.open([gateway.url])];
    const registration = await own.register('HTTP://10.0.0.1/');
    expect(registration).toMatchObject({ endpoint: A, state: 'registered', ttlSeconds: 15 });
    expect(bodies(gateway, '/v3/lease/grant')).toStrictEqual([{ TTL: '15' }]);
    expect(bodies(gateway, '/v3/kv/put')).toStrictEqual([
      { key: 'L2Nvb3JkaW5hdG9ycy90Y3A6Ly8xMC4wLjAuMTo4NTI5', lease: '7587861000000000001' },
    ]);
    expect(own.provider()).toStrictEqual([A]);
    await until('the other lists it', () => other.provider().includes(A));
  });

  it('goes by the time that etcd grants, not by what was asked for', async () => {
    const { directory } = await scenario.follow();
    const registration = await directory.register(A, { ttlSeconds: 1 });
    expect(registration.ttlSeconds).toBe(2);
  });

  it('keeps the own endpoint listed, whatever etcd says', async () => {
    const { gateway, directory } = await scenario.follow([B]);
    const registration = await directory.register(A);
    gateway.override = () => true;
    gateway.delete(A, B);
    await until('B is gone', () => !directory.provider().includes(B));
    expect(directory.provider()).toStrictEqual([A]);
    expect(registration.state).toBe('lost');
  });

  it('lists it only as etcd does, with includeSelf false', async () => {
    const { gateway, directory } = await scenario.follow([], { includeSelf: false });
    await directory.register(A);
    await until('it is listed', () => directory.provider().includes(A));
    gateway.override = () => true;
    gateway.delete(A);
    await until('it is gone', () => directory.provider().length === 0);
  });

  it('the same endpoint twice is refused, also in another spelling, until the first is closed', async () => {
    const { gateway, directory } = await scenario.follow();
    const first = await directory.register(A);
    await expect(directory.register('http://10.0.0.1:8529')).rejects.toThrow(`${A} is already registered`);
    await first.close();
    const second = await directory.register(A);
    expect(second.state).toBe('registered');
    expect(gateway.endpoints).toStrictEqual([A]);
  });

  it.each([
    ['unix:///tmp/a.sock', {}, { reason: 'a cluster listing has no place for a unix socket' }],
    [A, { ttlSeconds: 0 }, new TypeError('register: option ttlSeconds must be an integer from 1 to 86400, got 0')],
    [A, { signal: {} as AbortSignal }, new TypeError('register: option signal must be an AbortSignal, got object')],
  ])('%s with %p is refused', async (endpoint, options, error) => {
    const { gateway, directory } = await scenario.follow();
    await expect(directory.register(endpoint, options)).rejects.toMatchObject(error);
    expect(bodies(gateway, '/v3/lease/grant')).toStrictEqual([]);
  });

  it('in a closed directory is refused', async () => {
    const { directory } = await scenario.follow();
    await directory.close();
    await expect(directory.register(A)).rejects.toThrow(`${A} cannot be registered: the directory is closed`);
  });

  it.each<[string, string, EtcdError]>([
    ['a lease', '/v3/lease/grant', new EtcdError(7, 'etcdserver: permission denied', 403)],
    ['the key', '/v3/kv/put', new EtcdError(7, 'etcdserver: permission denied', 403)],
    ['the key, out of space', '/v3/kv/put', new EtcdError(8, 'etcdserver: mvcc: database space exceeded', 429)],
  ])('fails at once, and leaves no lease, when etcd refuses %s', async (_, refused, error) => {
    const { gateway, directory } = await scenario.follow([], { connectTimeoutMs: 600_000 });
    gateway.instead(error, refused);
    await expect(directory.register(A)).rejects.toThrow(`etcd ${gateway.url}: ${error.message}`);
    await until('the lease is ended', () => gateway.store.leases.size === 0);
    expect(directory.provider()).toStrictEqual([]);
  });

  it('fails with the last cause after connectTimeoutMs when etcd does not answer, and leaves no lease', async () => {
    const { gateway, directory } = await scenario.follow([], { connectTimeoutMs: 4000, requestTimeoutMs: 1000 });
    gateway.override = ({ path }) => path === '/v3/kv/put';
    await expect(directory.register(A)).rejects.toThrow(`etcd ${gateway.url}: no answer within 1000 ms`);
    expect(bodies(gateway, '/v3/lease/grant')).toHaveLength(1);
    expect(bodies(gateway, '/v3/kv/put').length).toBeGreaterThan(1);
    await until('the lease is ended', () => gateway.store.leases.size === 0);
  });

  it('fails after connectTimeoutMs, in which not one answer has come', async () => {
    const { gateway, directory } = await scenario.follow([], { connectTimeoutMs: 2000, requestTimeoutMs: 600_000 });
    gateway.override = ({ path }) => path === '/v3/lease/grant';
    await expect(directory.register(A)).rejects.toThrow('no answer within 2000 ms');
  });

  it('takes a new lease when the first one is gone before the key was put', async () => {
    const { gateway, directory } = await scenario.follow();
    gateway.override = ({ path }) => {
      if (path === '/v3/kv/put') {
        gateway.override = () => false;
        gateway.store.leases.clear();
      }
      return false;
    };
    await directory.register(A, { ttlSeconds: 2 });
    expect(bodies(gateway, '/v3/lease/grant')).toHaveLength(2);
    expect(gateway.endpoints).toStrictEqual([A]);
  });

  it('is given up with its signal, before or in the middle, and leaves no lease', async () => {
    const { gateway, directory } = await scenario.follow();
    await expect(directory.register(A, { signal: AbortSignal.abort(new Error('changed my mind')) })).rejects.toThrow(
      'changed my mind',
    );
    const controller = new AbortController();
    gateway.override = ({ path }) => {
      if (path === '/v3/kv/put') controller.abort(new Error('too slow for me'));
      return path === '/v3/kv/put';
    };
    await expect(directory.register(A, { signal: controller.signal })).rejects.toThrow('too slow for me');
    await until('the lease is ended', () => gateway.store.leases.size === 0);
    gateway.override = () => false;
    const later = new AbortController();
    const registration = await directory.register(A, { signal: later.signal });
    later.abort();
    expect(registration.state).toBe('registered');
  });
});

describe('a registered endpoint', () => {
  it('is put back at once, on a new lease, when its key was deleted', async () => {
    const { gateway, directory } = await scenario.follow();
    const registration = await directory.register(A);
    const happenings = happeningsOf(registration);
    await until('its key is seen', () => directory.status().events === 1);
    gateway.delete(A);
    await until('it is back', () => happenings.length === 2);
    expect(happenings).toStrictEqual(['lost: etcd deleted the key', 'restored']);
    expect(gateway.endpoints).toStrictEqual([A]);
    expect(bodies(gateway, '/v3/lease/grant')).toHaveLength(2);
    expect(registration.state).toBe('registered');
  });

  it('is put back when the store has lost its data, long before its lease is due', async () => {
    const { gateway, directory } = await scenario.follow([B, B, B]);
    const registration = await directory.register(A, { ttlSeconds: 86_400 });
    const happenings = happeningsOf(registration);
    gateway.store.wipe();
    gateway.cut();
    await until('it is back', () => happenings.length === 2);
    expect(happenings).toStrictEqual(['lost: etcd no longer has the lease', 'restored']);
    expect(gateway.endpoints).toStrictEqual([A]);
  });

  it('is left alone when a list is older than its key', async () => {
    const { gateway, directory } = await scenario.follow();
    const withheld: (() => void)[] = [];
    gateway.send = (res, text) => withheld.push(() => res.write(text));
    const registration = await directory.register(A);
    const happenings = happeningsOf(registration);
    // This process sees the change that was made before its own key was put only now.
    gateway.put(B);
    gateway.send = (res, text) => void res.write(text);
    for (const send of withheld) send();
    await until('all is seen', () => directory.status().events === 2);
    await pause(50);
    expect(happenings).toStrictEqual([]);
    expect(bodies(gateway, '/v3/lease/grant')).toHaveLength(1);
  });
});

describe('closing', () => {
  it('a registration takes the endpoint off every list at once', async () => {
    const gateway = await scenario.gateway();
    const [own, other] = [await scenario.open([gateway.url]), await scenario.open([gateway.url])];
    const registration = await own.register(A);
    await until('the other lists it', () => other.provider().includes(A));
    const closing = registration.close();
    expect(registration.state).toBe('closed');
    expect(registration.close()).toBe(closing);
    await closing;
    expect(gateway.store.leases.size).toBe(0);
    await until('nobody lists it', () => own.provider().length + other.provider().length === 0);
  });

  it('an old process does not take off what a new one has registered in its place', async () => {
    const gateway = await scenario.gateway();
    const [old, young] = [await scenario.open([gateway.url]), await scenario.open([gateway.url])];
    await old.register(A);
    await young.register(A);
    await old.close();
    expect(gateway.endpoints).toStrictEqual([A]);
    expect(young.provider()).toStrictEqual([A]);
  });

  it('a directory takes off all that is registered, then ends every connection', async () => {
    const { gateway, directory } = await scenario.follow();
    const registrations = [await directory.register(A), await directory.register(B)];
    const closing = directory.close();
    expect(directory.close()).toBe(closing);
    expect(directory.status().state).toBe('closed');
    expect(directory.provider).toThrow('cluster backend unavailable');
    await closing;
    expect(gateway.endpoints).toStrictEqual([]);
    expect(registrations.map(({ state }) => state)).toStrictEqual(['closed', 'closed']);
    await until('no watch is left', () => gateway.watches === 0);
  });

  it('does not wait longer than requestTimeoutMs for an unreachable etcd', async () => {
    const { gateway, directory } = await scenario.follow([], { requestTimeoutMs: 300 });
    await directory.register(A);
    gateway.override = () => true;
    const started = performance.now();
    await directory.close();
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
    expect(gateway.endpoints).toStrictEqual([A]);
  });

  it('asks every host, as the first may be unreachable', async () => {
    const gateway = await scenario.gateway();
    const proxy = await scenario.proxy(gateway);
    const directory = await scenario.open([proxy.url, gateway.url], { requestTimeoutMs: 600_000 });
    await directory.register(A);
    proxy.silent = true;
    await directory.close();
    expect(gateway.endpoints).toStrictEqual([]);
  });

  it('is quiet where the lease is gone already', async () => {
    const { gateway, directory } = await scenario.follow();
    await directory.register(A);
    gateway.store.forget(() => gateway.store.endLease('7587861000000000001'));
    await directory.close();
    expect(gateway.count('/v3/lease/revoke')).toBe(1);
  });
});
