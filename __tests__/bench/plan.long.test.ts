import { GROUPS, ON_SOCKETS, QUICK_GROUPS } from '../../bench/plan.js';
import { TARGETS } from '../../bench/targets.js';
import { nameOf } from '../../bench/variant.js';

const namesIn = (variants: Parameters<typeof nameOf>[0][]): string[] => variants.map(nameOf);

describe('The plan of the bench', () => {
  it('measures both variants of every target in one group', () => {
    const groups = GROUPS.map(({ variants }) => namesIn([...variants]));
    const homeless = TARGETS.filter(
      ({ of, to }) => !groups.some((names) => names.includes(nameOf(of)) && names.includes(nameOf(to))),
    );
    expect(homeless.map(({ figure }) => figure)).toEqual([]);
  });

  it('names no variant twice in a group', () => {
    for (const { variants } of [...GROUPS, { variants: ON_SOCKETS }]) {
      const names = namesIn([...variants]);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('covers all list sizes on both majors of Express, and other servers', () => {
    expect(GROUPS.map(({ title }) => title)).toEqual([
      'Express 5, list of 3',
      'Express 5, list of 1',
      'Express 5, list of 100',
      'Express 5, list of 1000',
      'Express 5, list of 10000',
      'Express 4, list of 3',
      'Express 4, list of 1',
      'Express 4, list of 100',
      'Express 4, list of 1000',
      'Express 4, list of 10000',
      'Other servers, list of 3',
    ]);
  });

  it('takes both majors, the shortest list, the longest and other servers into the quick run', () => {
    expect(QUICK_GROUPS.map(({ title }) => title)).toEqual([
      'Express 5, list of 3',
      'Express 4, list of 10000',
      'Other servers, list of 3',
    ]);
  });
});
