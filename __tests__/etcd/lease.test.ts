import { getEventListeners } from 'node:events';
import { GatewayError } from '../../lib/etcd/errors.js';
import type { Gateway } from '../../lib/etcd/json-gateway.js';
import type { HeldKeys } from '../../lib/etcd/held-keys.js';
import { revokeLease } from '../../lib/etcd/lease.js';
import { KeptRegistration } from '../../lib/etcd/registration.js';
import { followHost, type FollowParts } from '../../lib/etcd/follow-host.js';
import { until } from '../support/until.js';

const unavailable = new GatewayError('unavailable', { definite: false, code: 14 });
const notFound = new GatewayError('no such lease', { definite: false, code: 5 });

type Ask = Gateway['ask'];

describe('a lease that is revoked', () => {
  const lease = { id: '1', ttlSeconds: 15 };
  const gatewayThat = (ask: (host: string, signal: AbortSignal) => Promise<void>): Gateway =>
    ({ ask: ((host, _call, _read, signal) => ask(host, signal)) as Ask }) as unknown as Gateway;

  it('waits for the host that answers when another is unreachable, and gives up the rest then', async () => {
    const answered: string[] = [];
    const signals: AbortSignal[] = [];
    const gateway = gatewayThat(async (host, signal) => {
      signals.push(signal);
      if (host === 'unreachable') throw unavailable;
      if (host === 'silent') return new Promise(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
      answered.push(host);
    });
    await revokeLease(gateway, ['unreachable', 'there', 'silent'], lease);
    expect(answered).toEqual(['there']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('is over when a host no longer has it', async () => {
    const gateway = gatewayThat((host) => (host === 'knows' ? Promise.reject(notFound) : new Promise(() => undefined)));
    await expect(revokeLease(gateway, ['knows', 'silent'], lease)).resolves.toBeUndefined();
  });
});

/** Each request waits for the test to answer it. */
function asking() {
  const requests: { readonly path: string; readonly body: object; readonly answer: (value: unknown) => void }[] = [];
  const askAny = (...[{ path, body }, , signal]: Parameters<Gateway['askAny']>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      requests.push({ path, body, answer: resolve });
    });
  const ask = jest.fn(() => Promise.resolve());
  const gateway = { ask, askAny } as unknown as Gateway;
  const next = async (path: string) => {
    await until(path, () => requests.length > 0);
    const request = requests.shift();
    expect(request?.path).toBe(path);
    return request;
  };
  return { gateway, ask, next, requests };
}

/** A registration that is complete: its key is on lease 1, put in revision 7. */
async function opened({ gateway, next }: ReturnType<typeof asking>, signal?: AbortSignal): Promise<KeptRegistration> {
  const registration = registrationOf(gateway);
  const opening = registration.open(10_000, signal);
  (await next('/v3/lease/grant'))?.answer({ id: '1', ttlSeconds: 15 });
  (await next('/v3/kv/put'))?.answer(7n);
  await opening;
  return registration;
}

function registrationOf(gateway: Gateway): KeptRegistration {
  return new KeptRegistration('tcp://a:1', {
    gateway,
    hosts: ['http://h:1'],
    key: 'a',
    ttlSeconds: 15,
    onOpen: () => undefined,
    onClose: () => undefined,
  });
}

/** The list at a revision, with the lease that the key is on. */
const seen = (revision: bigint, lease?: string): HeldKeys =>
  ({ revision, get: () => (lease === undefined ? undefined : { lease }) }) as unknown as HeldKeys;

describe('a registration', () => {
  it('leaves no listener at the signal that it was given', async () => {
    const { signal } = new AbortController();
    const registration = await opened(asking(), signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await registration.close();
  });

  it('that never had a lease revokes none', async () => {
    const { gateway, ask } = asking();
    await registrationOf(gateway).close();
    expect(ask).not.toHaveBeenCalled();
  });

  it.each<[string, readonly [bigint, string?][], 'put again' | 'left alone']>([
    ['the key is gone, in a later state', [[8n]], 'put again'],
    ['the key is gone, in an earlier state', [[6n]], 'left alone'],
    ['the key is there, on its lease', [[8n, '1']], 'left alone'],
    ['the key is there, on the lease of another process', [[8n, '2']], 'left alone'],
    ['the key is there, on no lease', [[8n, '0']], 'put again'],
    ['the key is gone, then there again', [[8n], [9n, '1']], 'left alone'],
  ])('that sees, before the answer to its put: %s; is %s', async (_what, sightings, then) => {
    const { gateway, next, requests } = asking();
    const registration = registrationOf(gateway);
    const opening = registration.open(10_000, undefined);
    (await next('/v3/lease/grant'))?.answer({ id: '1', ttlSeconds: 15 });
    const put = await next('/v3/kv/put');
    for (const [revision, lease] of sightings) registration.compare(seen(revision, lease));
    put?.answer(7n);
    if (then === 'put again') {
      const isGone = sightings.at(-1)?.[1] === undefined;
      if (isGone) (await next('/v3/lease/grant'))?.answer({ id: '2', ttlSeconds: 15 });
      const again = await next('/v3/kv/put');
      expect(again?.body).toStrictEqual({ key: 'a', lease: isGone ? '2' : '1' });
      again?.answer(10n);
    }
    await opening;
    expect(registration.state).toBe('registered');
    expect(requests).toEqual([]);
    await registration.close();
  });

  it('puts its key again when a late request has put it on the lease before', async () => {
    const etcd = asking();
    const { next, requests } = etcd;
    const registration = await opened(etcd);
    registration.compare(seen(8n));
    (await next('/v3/lease/grant'))?.answer({ id: '2', ttlSeconds: 15 });
    (await next('/v3/kv/put'))?.answer(9n);
    await until('it is registered', () => registration.state === 'registered');
    registration.compare(seen(10n, '1'));
    const again = await next('/v3/kv/put');
    expect(again?.body).toStrictEqual({ key: 'a', lease: '2' });
    again?.answer(11n);
    registration.compare(seen(11n, '2'));
    expect(registration.state).toBe('registered');
    expect(requests).toEqual([]);
    await registration.close();
  });

  it('does not drop its new lease when the answer to a renewal of the old one comes late', async () => {
    const etcd = asking();
    const { next } = etcd;
    const registration = await opened(etcd);
    // A list from before the put, without the key: the lease is asked.
    registration.compare(seen(6n));
    const renewal = await next('/v3/lease/keepalive');
    registration.compare(seen(8n));
    renewal?.answer(true);
    (await next('/v3/lease/grant'))?.answer({ id: '2', ttlSeconds: 15 });
    (await next('/v3/kv/put'))?.answer(9n);
    await until('it is registered', () => registration.state === 'registered');
    await registration.close();
  });

  it('that is closed in the moment in which it is complete does not go on', async () => {
    const { gateway, next } = asking();
    const registration = registrationOf(gateway);
    const opening = registration.open(10_000, undefined);
    (await next('/v3/lease/grant'))?.answer({ id: '1', ttlSeconds: 15 });
    const put = await next('/v3/kv/put');
    put?.answer(7n);
    const outcome = expect(opening).rejects.toThrow('the registration is closed');
    // Between the answer and its handling.
    for (let turns = 0; turns < 3; turns += 1) await Promise.resolve();
    await registration.close();
    await outcome;
  });
});

describe('a host that is followed no more', () =>
  it('leaves no listener at the signal of the directory', async () => {
    const { signal } = new AbortController();
    const gateway = {
      ask: () => Promise.reject(unavailable),
      failure: (_host: string, error: unknown) => error,
    };
    const parts = { gateway, keys: { range: {} } } as unknown as FollowParts;
    await expect(followHost({ ...parts, settings: {} as never }, 'a', signal)).rejects.toBe(unavailable);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  }));
