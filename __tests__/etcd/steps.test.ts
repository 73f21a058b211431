import { EventEmitter, getEventListeners } from 'node:events';
import { HeldList } from '../../lib/directory/held-list.js';
import { Tokens } from '../../lib/etcd/json-gateway.js';
import { onAbort, pause, within } from '../../lib/request/deadline.js';
import { Backoff, WatchCheck } from '../../lib/etcd/follow-host.js';
import { HeldKeys } from '../../lib/etcd/held-keys.js';
import { JsonLines } from '../../lib/etcd/watch.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a step with a deadline', () => {
  it('leaves no listener at the signal behind', async () => {
    const { signal } = new AbortController();
    await expect(within(1000, signal, () => Promise.resolve('done'))).resolves.toBe('done');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends when the step itself aborts the signal, before it returns', async () => {
    const controller = new AbortController();
    const step = (): Promise<never> => {
      controller.abort(new Error('given up'));
      return new Promise(() => undefined);
    };
    await expect(within(600_000, controller.signal, step)).rejects.toThrow('given up');
  });

  it('is not started when the signal has aborted before', async () => {
    const step = jest.fn(() => Promise.resolve());
    await expect(within(1000, AbortSignal.abort(new Error('too late')), step)).rejects.toThrow('too late');
    expect(step).not.toHaveBeenCalled();
  });
});

describe('a pause', () =>
  it('is none when its signal has aborted before', async () => {
    await expect(pause(600_000, AbortSignal.abort())).resolves.toBeUndefined();
  }));

describe('a listener of a signal', () =>
  it('is called at once when the signal has aborted before, as the signal would never call it', () => {
    const listener = jest.fn();
    onAbort(AbortSignal.abort(), listener);
    expect(listener).toHaveBeenCalledTimes(1);
  }));

describe('a line of a stream', () =>
  it('may be as long as the limit, and no longer', () => {
    expect([...new JsonLines(3).push(Buffer.from('123\n'))]).toEqual([123]);
    expect(() => [...new JsonLines(2).push(Buffer.from('123\n'))]).toThrow('line of more than 2 characters');
  }));

describe('a probe', () => {
  const checkAt = (revision: bigint) => {
    const list = new HeldList(new EventEmitter(), 1000);
    const held = new HeldKeys(list, () => undefined);
    const keys = new Map(['a', 'b'].map((entry) => [entry, { entry, lease: '0', revision: 4n }]));
    held.reset({ keys, revision, term: 2n });
    const confirmed: number[] = [];
    const check = new WatchCheck(held, (askedAt) => confirmed.push(askedAt));
    const put = (entry: string, revision: bigint): void => {
      const changes = [{ name: entry, deleted: false, key: { entry, lease: '0', revision } }];
      held.apply({ changes, revision, term: 2n }, (at) => check.beforeChange(at));
    };
    return { check, confirmed, put };
  };

  it('of the state that the list is from confirms the list', () => {
    const { check, confirmed } = checkAt(5n);
    expect(check.isUnchanged({ revision: 5n, term: 2n }, 5n, 17)).toBe(true);
    expect(confirmed).toEqual([17]);
  });

  it('of the same keys in a later state confirms the list, and that state from then on', () => {
    const { check, confirmed } = checkAt(5n);
    expect(check.isUnchanged({ revision: 7n, term: 2n }, 5n, 17)).toBe(false);
    check.compare({ count: 2, newest: 4n, revision: 7n, term: 2n, askedAt: 17 }, 5n);
    expect(check.isUnchanged({ revision: 7n, term: 2n }, 5n, 27)).toBe(true);
    expect(confirmed).toEqual([17, 27]);
  });

  it('that was quicker than the watch confirms the list when the watch has caught up, with the next probe', () => {
    const { check, confirmed, put } = checkAt(5n);
    const probe = { count: 3, newest: 6n, revision: 6n, term: 2n };
    check.compare({ ...probe, askedAt: 17 }, 5n);
    put('c', 6n);
    expect(confirmed).toEqual([]);
    check.compare({ ...probe, askedAt: 27 }, 6n);
    expect(confirmed).toEqual([17, 27]);
    expect(check.isUnchanged(probe, 6n, 37)).toBe(true);
  });

  it('that was slower than the watch proves the majority, and no more', () => {
    const { check, confirmed, put } = checkAt(5n);
    put('c', 6n);
    put('d', 7n);
    const probe = { count: 3, newest: 6n, revision: 6n, term: 2n };
    check.compare({ ...probe, askedAt: 17 }, 5n);
    expect(confirmed).toEqual([17]);
    expect(check.isUnchanged(probe, 5n, 27)).toBe(false);
  });

  it.each([
    [{ count: 3, newest: 4n }, 'watch missed a change: 2 keys held, etcd has 3'],
    [{ count: 2, newest: 5n }, 'watch missed a change: the newest key held is of revision 4, that of etcd of 5'],
  ])('that differs, %o, is a change missed, as the next change shows', (fingerprint, message) => {
    const { check, confirmed } = checkAt(5n);
    check.compare({ ...fingerprint, revision: 5n, term: 2n, askedAt: 17 }, 5n);
    check.beforeChange(5n);
    expect(confirmed).toEqual([]);
    expect(() => check.beforeChange(6n)).toThrow(message);
  });

  it('of a store that is older than the list finds that its revision went backwards', () => {
    const { check } = checkAt(5n);
    const message = "etcd's revision went backwards from 5 to 4";
    const state = { revision: 4n, term: 2n };
    expect(() => check.isUnchanged(state, 5n, 17)).toThrow(message);
    expect(() => check.compare({ ...state, count: 2, newest: 4n, askedAt: 17 }, 5n)).toThrow(message);
  });
});

describe('the backoff', () =>
  it('is every host at once, then waits that double up to the longest, each shortened at random', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.2);
    const backoff = new Backoff(2, { minMs: 100, maxMs: 1000 });
    const waits = Array.from({ length: 12 }, () => Math.round(backoff.next()));
    expect(waits).toEqual([0, 54, 0, 108, 0, 216, 0, 432, 0, 540, 0, 540]);
    backoff.reset();
    expect([backoff.next(), Math.round(backoff.next())]).toEqual([0, 54]);
  }));

describe('a token that a host refuses', () =>
  it('cannot be had anew without user and password', () => {
    const tokens = new Tokens(undefined, () => Promise.reject(new Error('nobody asked')));
    expect(tokens.refused('http://h:1', 'token')).toBe(false);
  }));
