import { errorOfPair, median, pairedRatios, spread, type Spread } from './statistics.js';
import type { Target } from './targets.js';
import type { Cost, Course } from './turns.js';
import { nameOf, variant, type Variant } from './variant.js';

/** What a ratio is held against. */
export type Limit = { readonly atMost: number } | { readonly atLeast: number };

export type Verdict = 'met' | 'within error' | 'missed';

/** Holds a ratio against its limit; beyond the limit by no more than `error` (a share), the instrument cannot tell. */
export function verdict(ratio: number, limit: Limit, error: number): Verdict {
  if ('atMost' in limit) {
    if (ratio <= limit.atMost) return 'met';
    return ratio <= limit.atMost * (1 + error) ? 'within error' : 'missed';
  }
  if (ratio >= limit.atLeast) return 'met';
  return ratio * (1 + error) >= limit.atLeast ? 'within error' : 'missed';
}

export function limitText(limit: Limit): string {
  return 'atMost' in limit ? `<= ${String(limit.atMost)}` : `>= ${String(limit.atLeast)}`;
}

/** A target, and how it fared in the group where both of its variants were measured. */
export interface Judgement {
  readonly target: Target;
  readonly ratio: Spread;
  /** How far two processes with the same code were apart in that group, as a share. */
  readonly error: number;
  readonly verdict: Verdict;
}

/** Judges a target by a group; `undefined` when the group lacks one of its variants. */
export function judge(target: Target, group: readonly Course[]): Judgement | undefined {
  const ratio = ratioOf(target, group);
  if (ratio === undefined) return undefined;
  const error = Math.max(...[target.of, target.to].map(({ server }) => errorOn(server, target.metric, group)));
  return { target, ratio, error, verdict: verdict(ratio.median, target.limit, error) };
}

/** The ratio of a target's two variants, paired by round. */
export function ratioOf(
  { of, to, metric }: Pick<Target, 'of' | 'to' | 'metric'>,
  group: readonly Course[],
): Spread | undefined {
  const [one, other] = [find(of, group), find(to, group)];
  if (one === undefined || other === undefined) return undefined;
  // Requests per second are the inverse of the time for one.
  return metric === 'cpu'
    ? spread(
        pairedRatios(
          one.map(({ cpu }) => cpu),
          other.map(({ cpu }) => cpu),
        ),
      )
    : spread(
        pairedRatios(
          other.map(({ time }) => time),
          one.map(({ time }) => time),
        ),
      );
}

/** The error of the instrument on servers of one kind: the largest that processes with the same code show; 0 where there are none. */
export function errorOn(server: Variant['server'], metric: Target['metric'], group: readonly Course[]): number {
  const copies = group
    .map(({ variant }) => variant)
    .filter((variant) => variant.again > 0 && variant.server === server);
  const pairs = copies.flatMap((copy) =>
    ([0, 1] as const).filter((again) => again < copy.again).map((again) => ({ of: copy, to: { ...copy, again } })),
  );
  return Math.max(0, ...pairs.map((pair) => errorOfPair(ratioOf({ ...pair, metric }, group)?.median ?? 1)));
}

const LONGEST = 10_000;

/**
 * Nanoseconds that it takes to compare one entry of a list that may have changed: what a list of 10,000 costs beyond the same list
 * frozen. `undefined` for a group without the two.
 */
export function nsPerEntry(
  { server, express }: Pick<Variant, 'server' | 'express'>,
  group: readonly Course[],
): number | undefined {
  const compared = find(variant(server, 'sync', { express, size: LONGEST }), group);
  const frozen = find(variant(server, 'snapshot', { express, size: LONGEST }), group);
  if (compared === undefined || frozen === undefined) return undefined;
  return median(compared.map(({ cpu }, round) => ((cpu - (frozen[round]?.cpu ?? NaN)) * 1000) / LONGEST));
}

function find(variant: Variant, group: readonly Course[]): readonly Cost[] | undefined {
  const name = nameOf(variant);
  return group.find((course) => nameOf(course.variant) === name)?.rounds;
}
