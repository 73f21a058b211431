import type { Count } from './counts.js';
import { OWNERS } from './profile.js';
import type { NamedProfile } from './profiles.js';
import type { GroupResult, Results, TargetResult } from './results.js';
import type { Spread } from './statistics.js';
import type { Rows } from './table.js';
import { limitText } from './verdict.js';

/** A table with the line above it and the lines below. */
export interface Captioned {
  readonly title: string;
  readonly rows: Rows;
  readonly notes: readonly string[];
}

const range = ({ median, p10, p90 }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${p10.toFixed(digits)}-${p90.toFixed(digits)})`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Every variant of a group: what a request costs, and what it costs beside the group's first. */
export function groupTable({ title, node, rows, error }: GroupResult): Captioned {
  return {
    title: `${title}, Node ${node}`,
    rows: [
      ['server | what answers', 'CPU us/request', 'CPU / first (p10-p90)', 'requests/s'],
      ...rows.map(({ name, cpu, cpuRatio, requestsPerSecond }) => [
        name,
        cpu.median.toFixed(1),
        range(cpuRatio, 2),
        requestsPerSecond.median.toFixed(0),
      ]),
    ],
    notes: Object.entries(error).map(
      ([server, share]) => `error on ${server}: processes with the same code were ${percent(share)} apart`,
    ),
  };
}

/** Every target with its ratio, the error of the instrument, the verdict, and the same ratio over real sockets. */
export function targetTable(targets: readonly TargetResult[]): Captioned {
  return {
    title: 'Targets',
    rows: [
      ['target', 'ratio of', 'limit', 'in process (p10-p90)', 'error', 'verdict', 'on sockets'],
      ...targets.map(({ target, ratio, error, verdict, onSockets }) => [
        `Express ${String(target.of.express)}: ${target.figure}`,
        target.metric === 'cpu' ? 'CPU' : 'requests/s',
        limitText(target.limit),
        range(ratio, 2),
        percent(error),
        verdict,
        onSockets === undefined ? '' : onSockets.median.toFixed(2),
      ]),
    ],
    notes: [],
  };
}

export function countTable(counts: readonly Count[]): Captioned {
  return {
    title: 'Counts',
    rows: [
      ['figure', 'limit', 'value', 'verdict'],
      ...counts.map(({ figure, value, limit, verdict }) => [figure, limitText(limit), value.toFixed(1), verdict]),
    ],
    notes: [],
  };
}

/** Where the time of a request goes. */
export function profileTable(profiles: readonly NamedProfile[]): Captioned {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    title: 'CPU profile, microseconds of one request',
    rows: [
      ['server | what answers', ...OWNERS, 'together'],
      ...profiles.map(({ name, profile }) => [
        name,
        ...[...OWNERS.map((owner) => profile[owner]), sum(Object.values(profile))].map((us) => us.toFixed(1)),
      ]),
    ],
    notes: [],
  };
}

/** All tables of a run, the verdicts first. */
export function allTables({ targets, counts, groups, profiles }: Results): Captioned[] {
  return [targetTable(targets), countTable(counts), profileTable(profiles), ...groups.map(groupTable)];
}
