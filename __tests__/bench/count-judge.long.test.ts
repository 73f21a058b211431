import {
  countError,
  countRatio,
  judgeCounts,
  worseThanCommitted,
  type CountedVariant,
} from '../../bench/count-judge.js';
import { variant, type Variant } from '../../bench/variant.js';

const bare = variant('node:http', 'constant');
const router = variant('createAppServer', 'snapshot');
const counted = (of: Variant, instructions: number): CountedVariant => ({ variant: of, instructions });

describe('A ratio of counts', () => {
  it('is that of two variants, wherever they stand', () => {
    expect(countRatio(router, bare, [counted(router, 46_000), counted(bare, 40_000)])).toBe(1.15);
  });

  it('is none where one of them was not counted', () => {
    expect(countRatio(router, bare, [counted(router, 46_000)])).toBeNaN();
  });
});

describe('The error of counts', () => {
  it('is what two counts of the same code are apart, at most', () => {
    const counts = [
      counted(bare, 40_000),
      counted({ ...bare, again: 1 }, 40_400),
      counted(router, 51_000),
      counted({ ...router, again: 1 }, 50_000),
    ];
    expect(countError(counts)).toBeCloseTo(0.02, 12);
  });

  it('is 0 where nothing was counted twice', () => {
    expect(countError([counted(bare, 40_000)])).toBe(0);
  });
});

describe('A target of counts', () => {
  const target = { figure: 'router / bare', of: router, to: bare, limit: { atMost: 1.15 } };
  const verdictOn = (instructions: number, again = 40_000): string | undefined =>
    judgeCounts(
      [target],
      [counted(bare, 40_000), counted({ ...bare, again: 1 }, again), counted(router, instructions)],
    )[0]?.verdict;

  it('is met up to its limit', () => {
    expect(verdictOn(46_000)).toBe('met');
  });

  it('is missed beyond it by more than the error', () => {
    expect(verdictOn(46_100)).toBe('missed');
    expect(verdictOn(46_100, 40_400)).toBe('within error');
    expect(verdictOn(46_500, 40_400)).toBe('missed');
  });
});

describe('A committed ratio', () => {
  const committed = { node: '20.20.2', toBare: { 'x-powered-by off': 1.1, 405: 1.2 } };

  it('may be exceeded by 5 %', () => {
    expect(worseThanCommitted({ 'x-powered-by off': 1.155, 405: 1.26 }, committed)).toEqual([]);
    expect(worseThanCommitted({ 'x-powered-by off': 1, 405: 0.9 }, committed)).toEqual([]);
  });

  it('fails a check beyond that, by name', () => {
    expect(worseThanCommitted({ 'x-powered-by off': 1.166, 405: 1.2 }, committed)).toEqual([
      'x-powered-by off: 1.166 x bare node:http, 6.0 % above the committed 1.100',
    ]);
  });

  it('fails a check that has not counted it', () => {
    expect(worseThanCommitted({ 405: 1.2 }, committed)).toEqual([
      'x-powered-by off: NaN x bare node:http, NaN % above the committed 1.100',
    ]);
  });
});
