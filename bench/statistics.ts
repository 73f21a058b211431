/** The middle of many values, and the range in which four of five of them lie. */
export interface Spread {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
}

/** The value below which the share `share` (0 to 1) of the values lies, interpolated between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError('no value to take a quantile of');
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), p10: quantile(values, 0.1), p90: quantile(values, 0.9) };
}

/** Each value divided by the one of the same round: what slows a whole round down cancels out. */
export function pairedRatios(values: readonly number[], baseline: readonly number[]): number[] {
  if (values.length !== baseline.length) {
    throw new RangeError(`${String(values.length)} rounds cannot be paired with ${String(baseline.length)}`);
  }
  return values.map((value, round) => value / (baseline[round] ?? Number.NaN));
}

/** How far two runs of the same code are apart, as a share: 0.03 for a ratio of 1.03, and of 1 / 1.03 too. */
export function errorOfPair(ratio: number): number {
  return Math.max(ratio, 1 / ratio) - 1;
}
