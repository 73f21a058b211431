import { getEventListeners } from 'node:events';
import { CountCheck } from '../../lib/etcd/count-check.js';
import { withDeadline } from '../../lib/etcd/deadline.js';
import { JsonLines } from '../../lib/etcd/json-lines.js';
import { Tokens } from '../../lib/etcd/tokens.js';

describe('a step with a deadline', () => {
  it('leaves no listener at the signal behind', async () => {
    const { signal } = new AbortController();
    await expect(withDeadline(1000, signal, () => Promise.resolve('done'))).resolves.toBe('done');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('a line of a stream', () => {
  it('may be as long as the limit, and no longer', () => {
    expect([...new JsonLines(3).push(Buffer.from('123\n'))]).toEqual([123]);
    expect(() => [...new JsonLines(2).push(Buffer.from('123\n'))]).toThrow('a line of more than 2 characters');
  });
});

describe('a count of the keys', () => {
  const checkAt = (revision: bigint): { check: CountCheck; confirmed: number[] } => {
    const confirmed: number[] = [];
    return { check: new CountCheck(revision, (askedAt) => confirmed.push(askedAt)), confirmed };
  };

  it('that is right confirms the list at once', () => {
    const { check, confirmed } = checkAt(5n);
    check.probe({ count: 2, revision: 5n, askedAt: 17 }, 5n, 2);
    expect(confirmed).toEqual([17]);
  });

  it('that differs in the state that the watch has reached is a change lost, as the next change shows', () => {
    const { check, confirmed } = checkAt(5n);
    check.probe({ count: 3, revision: 5n, askedAt: 17 }, 5n, 2);
    expect(confirmed).toEqual([]);
    expect(() => {
      check.change(6n, 2);
    }).toThrow('the watch has lost a change: 2 keys, etcd counts 3');
  });
});

describe('a token that a host refuses', () => {
  it('cannot be had anew without user and password', () => {
    const tokens = new Tokens(undefined, () => Promise.reject(new Error('nobody asked')));
    expect(tokens.refused('http://h:1', 'token')).toBe(false);
  });
});
