import { errorOn, judge, nsPerEntry, ratioOf } from '../../bench/judge.js';
import type { Course } from '../../bench/turns.js';
import { variant, type Variant } from '../../bench/variant.js';

const router = variant('app.listen', 'sync');
const naive = variant('app.listen', 'naive');

/** A course whose time is twice its processor time. */
const course = (of: Variant, ...cpu: number[]): Course => ({
  variant: of,
  rounds: cpu.map((value) => ({ cpu: value, time: 2 * value })),
});

describe('A target of processor time', () => {
  const target = { figure: 'router / naive', metric: 'cpu', of: router, to: naive, limit: { atMost: 0.5 } } as const;

  it('is the median of the ratios of each round', () => {
    expect(judge(target, [course(router, 1, 4, 90), course(naive, 4, 8, 100)])).toMatchObject({
      ratio: { median: 0.5 },
      error: 0,
      verdict: 'met',
    });
  });

  it('is not missed when it is off by no more than the same code is in another process', () => {
    const group = [course(router, 11), course({ ...router, again: 1 }, 12.5), course(naive, 20)];
    expect(judge(target, group)).toMatchObject({ ratio: { median: 0.55 }, verdict: 'within error' });
  });

  it('is missed beyond that', () => {
    const group = [course(router, 11), course({ ...router, again: 1 }, 11.1), course(naive, 20)];
    expect(judge(target, group)).toMatchObject({ ratio: { median: 0.55 }, verdict: 'missed' });
  });

  it('is not judged by a group without its variants', () => {
    expect(judge(target, [course(router, 1)])).toBeUndefined();
    expect(judge(target, [course(naive, 1), course({ ...router, size: 100 }, 1)])).toBeUndefined();
  });
});

describe('A ratio of requests per second', () => {
  it('is the inverse of the ratio of times', () => {
    expect(ratioOf({ of: router, to: naive, metric: 'rate' }, [course(router, 1), course(naive, 4)])?.median).toBe(4);
  });
});

describe('The error of the instrument', () => {
  it('is the largest among processes with the same code on that kind of server', () => {
    const group = [
      course(router, 100),
      course({ ...router, again: 1 }, 100),
      course({ ...router, again: 2 }, 80),
      course({ ...router, server: 'createAppServer' }, 10),
      course({ ...router, server: 'createAppServer', again: 1 }, 20),
    ];
    expect(errorOn('app.listen', 'cpu', group)).toBe(0.25);
    expect(errorOn('createAppServer', 'rate', group)).toBe(1);
    expect(errorOn('fastify', 'cpu', group)).toBe(0);
  });
});

describe('What a list costs that is not frozen', () => {
  const longest = (handler: Variant['handler']): Variant => variant('createAppServer', handler, { size: 10_000 });

  it('is the slope: what an entry takes beyond the same list frozen, round by round', () => {
    const group = [course(longest('sync'), 80, 100, 300), course(longest('snapshot'), 20, 30, 40)];
    expect(nsPerEntry({ server: 'createAppServer', express: 5 }, group)).toBe(7);
  });

  it('is not known of a group that lacks one of them', () => {
    const group = [course(longest('sync'), 80)];
    expect(nsPerEntry({ server: 'createAppServer', express: 5 }, group)).toBeUndefined();
  });
});
