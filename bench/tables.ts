import type { AtHalfLoad, UnderLoad } from './concurrency.js';
import type { Figure } from './figures.js';
import type { NamedProfile } from './gate.js';
import { limitText } from './judge.js';
import { OWNERS } from './profile.js';
import type { GroupResult, Results, TargetResult } from './results.js';
import type { Spread } from './statistics.js';

/** The first row is the head; all columns but the first are figures. */
export type Rows = readonly (readonly string[])[];

/** Lines up the columns for a terminal: the first to the left, the figures to the right. */
function terminalTable(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

export function markdownTable(rows: Rows): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll('|', ',')));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...body.map(line)].join('\n');
}

/** A table with the line above it and the lines below. */
export interface Captioned {
  readonly title: string;
  readonly rows: Rows;
  readonly notes: readonly string[];
}

/** Prints a table as soon as it is there. */
export function print({ title, rows, notes }: Captioned): void {
  console.log(['', title, terminalTable(rows), ...notes].join('\n'));
}

const range = ({ median, p10, p90 }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${p10.toFixed(digits)}-${p90.toFixed(digits)})`;
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

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

export function figureTable(figures: readonly Figure[]): Captioned {
  return {
    title: 'Other figures',
    rows: [
      ['figure', 'limit', 'value', 'verdict'],
      ...figures.map(({ figure, value, limit, verdict }) => [
        figure,
        limit === undefined ? '' : limitText(limit),
        value.toFixed(1),
        verdict ?? '',
      ]),
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

/** Few connections and many. */
export function connectionsTable(results: readonly UnderLoad[]): Captioned {
  return {
    title: 'Connections, real sockets',
    rows: [
      ['server | what answers', 'connections', 'requests/s', 'p50 ms', 'p99 ms'],
      ...results.map(({ name, connections, requestsPerSecond, p50, p99 }) => [
        name,
        String(connections),
        requestsPerSecond.toFixed(0),
        String(p50),
        String(p99),
      ]),
    ],
    notes: [],
  };
}

/** Half of what servers answer at most, at moments that do not depend on their answers. */
export function halfLoadTable(results: readonly AtHalfLoad[]): Captioned {
  return {
    title: 'Half of the highest load, open, real sockets',
    rows: [
      [
        'server | what answers',
        'at most, requests/s',
        'asked',
        'answered',
        'p50 ms',
        'p99 ms',
        'CPU us/request',
        'calls of the slow provider/s',
      ],
      ...results.map(({ name, most, rate, requestsPerSecond, p50, p99, cpu, calls }) => [
        name,
        most.toFixed(0),
        String(rate),
        requestsPerSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        cpu.toFixed(1),
        (calls * requestsPerSecond).toFixed(0),
      ]),
    ],
    notes: [],
  };
}

/** All tables of a run, the verdicts first. */
export function allTables({ targets, figures, connections, halfLoad, groups, profiles }: Results): Captioned[] {
  return [
    targetTable(targets),
    figureTable(figures),
    connectionsTable(connections),
    halfLoadTable(halfLoad),
    profileTable(profiles),
    ...groups.map(groupTable),
  ];
}
