import { limitText, verdict } from '../../bench/judge.js';

describe('A limit that must not be exceeded', () => {
  it.each([
    [1.1, 0, 'met'],
    [1.11, 0, 'missed'],
    [1.11, 0.05, 'within error'],
    [1.155, 0.05, 'within error'],
    [1.16, 0.05, 'missed'],
    [Number.NaN, 0.05, 'missed'],
  ])('with a ratio of %d and an error of %d is %s', (ratio, error, expected) => {
    expect(verdict(ratio, { atMost: 1.1 }, error)).toBe(expected);
  });

  it('reads <= 1.1', () => {
    expect(limitText({ atMost: 1.1 })).toBe('<= 1.1');
  });
});

describe('A limit that must be reached', () => {
  it.each([
    [12, 0, 'met'],
    [11.9, 0, 'missed'],
    [11.9, 0.05, 'within error'],
    [11.4, 0.05, 'missed'],
    [Number.NaN, 0.05, 'missed'],
  ])('with a ratio of %d and an error of %d is %s', (ratio, error, expected) => {
    expect(verdict(ratio, { atLeast: 12 }, error)).toBe(expected);
  });

  it('reads >= 12', () => {
    expect(limitText({ atLeast: 12 })).toBe('>= 12');
  });
});
