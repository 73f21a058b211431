import { getEventListeners } from 'node:events';
import { GatewayError } from '../../lib/etcd/gateway-error.js';
import type { Gateway } from '../../lib/etcd/gateway.js';
import { LeasedKey } from '../../lib/etcd/leased-key.js';
import { Pace } from '../../lib/etcd/pace.js';
import { KeptRegistration } from '../../lib/etcd/registration.js';
import { followHost, type SessionParts } from '../../lib/etcd/session.js';

const { signal: never } = new AbortController();
const unavailable = new GatewayError('unavailable', { definite: false, code: 14 });
const notFound = new GatewayError('no such lease', { definite: false, code: 5 });

afterEach(() => {
  jest.restoreAllMocks();
});

type Ask = Gateway['ask'];
type AskAny = Gateway['askAny'];

/** A lease that is granted and put at once; what else is asked, the test answers. */
function leased(hosts: readonly string[], ask: (host: string, signal: AbortSignal) => Promise<void>) {
  let leases = 0;
  const renewals: ((alive: boolean) => void)[] = [];
  const askAny = (path: string): Promise<unknown> => {
    if (path === '/v3/lease/grant') return Promise.resolve([String((leases += 1)), 15]);
    if (path === '/v3/kv/put') return Promise.resolve(7n);
    return new Promise((resolve) => renewals.push(resolve));
  };
  const gateway = {
    ask: ((host, _path, _body, _read, signal) => ask(host, signal)) as Ask,
    askAny: askAny as AskAny,
  } as unknown as Gateway;
  return { key: new LeasedKey(gateway, hosts, 'a', 15), renewals };
}

describe('a lease that is ended', () => {
  it('is asked of nobody when there is none', async () => {
    const ask = jest.fn(() => Promise.resolve());
    await leased(['a', 'b'], ask).key.revoke();
    expect(ask).not.toHaveBeenCalled();
  });

  it('waits for the host that answers when another is away, and gives up the rest then', async () => {
    const answered: string[] = [];
    const signals: AbortSignal[] = [];
    const { key } = leased(['away', 'there', 'silent'], async (host, signal) => {
      signals.push(signal);
      if (host === 'away') throw unavailable;
      if (host === 'silent') return new Promise(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
      answered.push(host);
    });
    await key.put(never);
    await key.revoke();
    expect(answered).toEqual(['there']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('is over when a host no longer has it', async () => {
    const { key } = leased(['knows', 'silent'], (host) =>
      host === 'knows' ? Promise.reject(notFound) : new Promise(() => undefined),
    );
    await key.put(never);
    await expect(key.revoke()).resolves.toBeUndefined();
  });
});

describe('a renewal that comes back late', () => {
  it('does not drop the lease that is there by then', async () => {
    const { key, renewals } = leased(['a'], () => Promise.resolve());
    await key.put(never);
    const late = key.renew(never);
    key.drop();
    await key.put(never);
    renewals[0]?.(false);
    await expect(late).resolves.toBe(true);
    expect(key.putAt).toBe(7n);
  });
});

describe('a registration', () => {
  const keyThat = (put: () => Promise<void>): LeasedKey =>
    ({ putAt: undefined, ttlSeconds: 15, put, revoke: () => Promise.resolve() }) as unknown as LeasedKey;

  it('leaves no listener at the signal that it was given', async () => {
    const { signal } = new AbortController();
    const registration = new KeptRegistration(
      'tcp://a:1',
      keyThat(() => Promise.resolve()),
      () => undefined,
    );
    await registration.open(1000, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await registration.close();
  });

  it('is tried again after a second, not at once', async () => {
    const put = jest.fn(() => Promise.reject(unavailable));
    const registration = new KeptRegistration('tcp://a:1', keyThat(put), () => undefined);
    await expect(registration.open(200, undefined)).rejects.toBe(unavailable);
    expect(put).toHaveBeenCalledTimes(1);
  });
});

describe('a session that has ended', () => {
  it('leaves no listener at the signal of the directory', async () => {
    const { signal } = new AbortController();
    const gateway = {
      ask: () => Promise.reject(unavailable),
      failure: (_host: string, error: unknown) => error,
    };
    const parts = { gateway, keys: { range: {} } } as unknown as SessionParts;
    await expect(followHost(parts, 'a', signal)).rejects.toBe(unavailable);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('the pace of attempts', () => {
  it('is every host at once, then waits that double up to the longest, each shortened at random', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.2);
    const pace = new Pace(2, { minMs: 100, maxMs: 1000 });
    const waits = Array.from({ length: 12 }, () => Math.round(pace.failed()));
    expect(waits).toEqual([0, 54, 0, 108, 0, 216, 0, 432, 0, 540, 0, 540]);
    pace.reset();
    expect([pace.failed(), Math.round(pace.failed())]).toEqual([0, 54]);
  });
});
