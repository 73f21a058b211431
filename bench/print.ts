import type { Count } from './counts.js';
import type { Judgement } from './judge.js';
import type { GroupResult } from './results.js';
import type { Spread } from './statistics.js';
import { table } from './table.js';
import { limitText } from './verdict.js';

const us = (value: number): string => value.toFixed(1);
const range = ({ median, p10, p90 }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${p10.toFixed(digits)}-${p90.toFixed(digits)})`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** One group: every variant, its cost, and its cost beside that of the first. */
export function printGroup({ title, node, rows, error }: GroupResult): void {
  console.log(`\n${title}, Node ${node}`);
  const head = ['server | what answers', 'CPU us/request', 'CPU / first', 'requests/s'];
  const cells = rows.map(({ name, cpu, cpuRatio, requestsPerSecond }) => [
    name,
    us(cpu.median),
    range(cpuRatio, 2),
    requestsPerSecond.median.toFixed(0),
  ]);
  console.log(table(head, cells));
  for (const [server, share] of Object.entries(error)) {
    console.log(`same code in several processes, ${server}: ${percent(share)} apart`);
  }
}

/** Every target with its ratio, what the instrument can tell, and the same ratio over real sockets. */
export function printTargets(judged: readonly (readonly [Judgement, Spread | undefined])[]): void {
  const head = ['target', 'of', 'limit', 'ratio (p10-p90)', 'error', 'verdict', 'on sockets'];
  const rows = judged.map(([{ target, ratio, error, verdict }, onSockets]) => [
    `Express ${String(target.of.express)}: ${target.figure}`,
    target.metric === 'cpu' ? 'CPU' : 'requests/s',
    limitText(target.limit),
    range(ratio, 2),
    percent(error),
    verdict,
    onSockets === undefined ? '-' : onSockets.median.toFixed(2),
  ]);
  console.log(`\nTargets\n${table(head, rows)}`);
}

export function printCounts(counts: readonly Count[]): void {
  const rows = counts.map(({ figure, value, limit, verdict }) => [figure, limitText(limit), value.toFixed(1), verdict]);
  console.log(`\n${table(['figure', 'limit', 'value', 'verdict'], rows)}`);
}
