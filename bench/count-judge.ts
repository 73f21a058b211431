import type { CountTarget } from './count-plan.js';
import { verdict, type Verdict } from './judge.js';
import { errorOfPair } from './statistics.js';
import { nameOf, type Variant } from './variant.js';

/** The instructions of one request to a variant. */
export interface CountedVariant {
  readonly variant: Variant;
  readonly instructions: number;
}

/** The ratio of two counts; `NaN` when one of them is missing. */
export function countRatio(of: Variant, to: Variant, counts: readonly CountedVariant[]): number {
  const [one, other] = [of, to].map((wanted) => counts.find(({ variant }) => nameOf(variant) === nameOf(wanted)));
  return (one?.instructions ?? NaN) / (other?.instructions ?? NaN);
}

/** How far two counts of the same code were apart at most, as a share; 0 when nothing was counted twice. */
export function countError(counts: readonly CountedVariant[]): number {
  const pairs = counts.filter(({ variant }) => variant.again > 0).map(({ variant }) => variant);
  return Math.max(0, ...pairs.map((copy) => errorOfPair(countRatio(copy, { ...copy, again: 0 }, counts))));
}

/** A target, and how it fared. */
export interface CountJudgement {
  readonly target: CountTarget;
  readonly ratio: number;
  readonly verdict: Verdict;
}

/** Judges the targets; beyond a limit by no more than what two counts of the same code are apart, nobody can tell. */
export function judgeCounts(targets: readonly CountTarget[], counts: readonly CountedVariant[]): CountJudgement[] {
  const error = countError(counts);
  return targets.map((target) => {
    const ratio = countRatio(target.of, target.to, counts);
    return { target, ratio, verdict: verdict(ratio, target.limit, error) };
  });
}

/** Ratios of counts to that of bare `node:http`, which later changes are held against. */
export interface CommittedRatios {
  /** The version of Node that they were counted on; another major version has others. */
  readonly node: string;
  readonly toBare: Readonly<Record<string, number>>;
}

/** What a ratio may be above the committed one, as a share: several times what two counts of the same code are apart. */
const ALLOWANCE = 0.05;

/** What has become worse than what was committed, in words; empty when nothing has. */
export function worseThanCommitted(ratios: Readonly<Record<string, number>>, { toBare }: CommittedRatios): string[] {
  return Object.entries(toBare).flatMap(([name, committed]) => {
    const ratio = ratios[name] ?? NaN;
    if (ratio <= committed * (1 + ALLOWANCE)) return [];
    const change = ((ratio / committed - 1) * 100).toFixed(1);
    return [`${name}: ${ratio.toFixed(3)} x bare node:http, ${change} % above the committed ${committed.toFixed(3)}`];
  });
}
