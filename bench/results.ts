import { errorOn, type Judgement } from './judge.js';
import { pairedRatios, spread, type Spread } from './statistics.js';
import type { Course } from './turns.js';
import { nameOf, type ServerKind } from './variant.js';

/** One variant of one group, as it stands in the table and in `results.json`. Times in microseconds per request. */
export interface Row {
  readonly name: string;
  readonly server: ServerKind;
  readonly cpu: Spread;
  readonly requestsPerSecond: Spread;
  /** Processor time divided by that of the group's first variant, paired by round. */
  readonly cpuRatio: Spread;
}

export interface GroupResult {
  readonly title: string;
  readonly node: string;
  readonly rows: readonly Row[];
  /** How far processes with the same code were apart, as a share of their processor time, by kind of server. */
  readonly error: Readonly<Record<string, number>>;
}

export function groupResult(title: string, node: string, group: readonly Course[]): GroupResult {
  const cpuOf = ({ rounds }: Course): number[] => rounds.map(({ cpu }) => cpu);
  const [first] = group;
  const rows = group.map((course) => ({
    name: nameOf(course.variant),
    server: course.variant.server,
    cpu: spread(cpuOf(course)),
    requestsPerSecond: spread(course.rounds.map(({ time }) => 1_000_000 / time)),
    cpuRatio: spread(pairedRatios(cpuOf(course), first === undefined ? [] : cpuOf(first))),
  }));
  const kinds = [...new Set(group.filter(({ variant }) => variant.again > 0).map(({ variant }) => variant.server))];
  return { title, node, rows, error: Object.fromEntries(kinds.map((kind) => [kind, errorOn(kind, 'cpu', group)])) };
}

/** A judged target, as it stands in `results.json`. */
export function targetResult({ target, ratio, error, verdict }: Judgement, onSockets: Spread | undefined): object {
  const { figure, metric, of, to, limit } = target;
  return { figure, metric, of: nameOf(of), to: nameOf(to), limit, ratio, error, verdict, onSockets: onSockets ?? null };
}
