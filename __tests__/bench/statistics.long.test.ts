import { errorOfPair, median, pairedRatios, quantile, spread } from '../../bench/statistics.js';

describe('quantile', () => {
  it.each([
    [[5], 0.25, 5],
    [[1, 2, 3, 4, 5], 0.25, 2],
    [[5, 4, 3, 2, 1], 0.25, 2],
    [[1, 2], 0.5, 1.5],
    [[0, 10], 0.9, 9],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
  ])('of %j at %d is %d', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });

  it('leaves the order of its values alone', () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it('of no values is refused', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe('median', () => {
  it('is not moved by one value that is far off', () => {
    expect(median([1, 2, 3, 4, 1000])).toBe(3);
  });
});

describe('spread', () => {
  it('tells the median and the range of four values of five', () => {
    expect(spread([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])).toEqual({ median: 50, p10: 10, p90: 90 });
  });
});

describe('pairedRatios', () => {
  it('divides round by round, so that a slow round cancels out', () => {
    expect(pairedRatios([2, 20, 2], [1, 10, 1])).toEqual([2, 2, 2]);
  });

  it('refuses courses of different length', () => {
    expect(() => pairedRatios([1, 2], [1])).toThrow('2 rounds cannot be paired with 1');
  });
});

describe('errorOfPair', () => {
  it.each([
    [1, 0],
    [1.25, 0.25],
    [0.8, 0.25],
  ])('of a ratio of %d is %d', (ratio, expected) => {
    expect(errorOfPair(ratio)).toBe(expected);
  });
});
