import type { AtHalfLoad, UnderLoad } from './concurrency.js';
import type { Figure } from './figures.js';
import type { NamedProfile } from './gate.js';
import { errorOn, type Judgement } from './judge.js';
import { pairedRatios, spread, type Spread } from './statistics.js';
import type { Course } from './turns.js';
import { nameOf, type ServerKind } from './variant.js';

/** Everything that a run has found out: what the tables show, and `results.json` holds. */
export interface Results {
  /** Versions and machine. */
  readonly environment: Readonly<Record<string, string>>;
  /** What could not be measured, and why. */
  readonly leftOut: readonly string[];
  readonly targets: readonly TargetResult[];
  readonly figures: readonly Figure[];
  readonly connections: readonly UnderLoad[];
  readonly halfLoad: readonly AtHalfLoad[];
  readonly groups: readonly GroupResult[];
  readonly profiles: readonly NamedProfile[];
}

/** A judged target, with the same ratio over real sockets. */
export interface TargetResult extends Judgement {
  readonly onSockets: Spread | undefined;
}

export interface GroupResult {
  readonly title: string;
  readonly node: string;
  readonly rows: readonly Row[];
  /** How far processes with the same code were apart, as a share of their processor time, by kind of server. */
  readonly error: Readonly<Record<string, number>>;
}

/** One variant of one group. */
export interface Row {
  readonly name: string;
  readonly server: ServerKind;
  /** Microseconds per request. */
  readonly cpu: Spread;
  /** Processor time divided by that of the group's first variant, paired by round. */
  readonly cpuRatio: Spread;
  readonly requestsPerSecond: Spread;
}

export function groupResult(title: string, node: string, group: readonly Course[]): GroupResult {
  const cpuOf = ({ rounds }: Course): number[] => rounds.map(({ cpu }) => cpu);
  const [first] = group;
  const rows = group.map((course) => ({
    name: nameOf(course.variant),
    server: course.variant.server,
    cpu: spread(cpuOf(course)),
    cpuRatio: spread(pairedRatios(cpuOf(course), first === undefined ? [] : cpuOf(first))),
    requestsPerSecond: spread(course.rounds.map(({ time }) => 1_000_000 / time)),
  }));
  const kinds = [...new Set(group.filter(({ variant }) => variant.again > 0).map(({ variant }) => variant.server))];
  return { title, node, rows, error: Object.fromEntries(kinds.map((kind) => [kind, errorOn(kind, 'cpu', group)])) };
}

/** The results as JSON. Four digits are more than any of the figures is good for. */
export function resultsJson(results: Results): string {
  const targets = results.targets.map(({ target: { of, to, ...target }, ...judgement }) => ({
    ...target,
    of: nameOf(of),
    to: nameOf(to),
    ...judgement,
  }));
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify({ ...results, targets }, rounded, 1)}\n`;
}

/** A page with one of its tables, and the lines below it, replaced. */
export function withTable(page: string, title: string, text: string): string {
  const sections = page.split(/^(?=##? )/m);
  const index = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  if (index === -1) throw new Error(`the page of results has no table "${title}"`);
  sections[index] = `## ${title}\n\n${text}\n\n`;
  return sections.join('');
}

/** The parts of `results.md`, which runs of their own write. */
const PARTS = ['Instructions', 'Timings'] as const;
export type Part = (typeof PARTS)[number];

/** A page of parts, each below a heading of the first level, with the text of one replaced. */
export function withPart(page: string, part: Part, text: string): string {
  const sections = page.split(/^(?=# )/m);
  return PARTS.flatMap((each) => {
    if (each === part) return [`# ${each}\n\n${text}\n\n`];
    return sections.filter((section) => section.startsWith(`# ${each}\n`));
  }).join('');
}
