import { readFileSync } from 'node:fs';
import type { CommittedRatios } from '../../bench/count-judge.js';
import {
  BARE,
  COUNTED,
  COUNTED_BESIDE,
  COUNTED_ON_OTHER_NODES,
  COUNT_TARGETS,
  GUARDED,
} from '../../bench/count-plan.js';
import { nameOf } from '../../bench/variant.js';

describe('The plan of the counts', () => {
  const names = COUNTED.map(nameOf);

  it('counts both variants of every target', () => {
    const missing = COUNT_TARGETS.filter(({ of, to }) => ![of, to].every((each) => names.includes(nameOf(each))));
    expect(missing.map(({ figure }) => figure)).toEqual([]);
  });

  it('names no variant twice', () => {
    for (const list of [names, [BARE, ...COUNTED_BESIDE].map(nameOf), COUNTED_ON_OTHER_NODES.map(nameOf)])
      expect(list).toEqual([...new Set(list)]);
  });

  it('has bare node:http beside everything', () => {
    expect(names[0]).toBe(nameOf(BARE));
    expect(nameOf(COUNTED_ON_OTHER_NODES[0] ?? BARE)).toBe(nameOf(BARE));
  });

  it('guards what has a committed ratio, and nothing else', () => {
    const { toBare } = JSON.parse(readFileSync('bench/committed-ratios.json', 'utf8')) as CommittedRatios;
    expect(Object.keys(toBare)).toEqual(GUARDED.map(nameOf));
  });
});
