import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureCounts } from './counts.js';
import { environment, otherNode } from './environment.js';
import { measureInProcess } from './gate.js';
import { judge, ratioOf } from './judge.js';
import { GROUP_ON_OTHER_NODES, GROUPS, ON_SOCKETS, OTHER_NODES, QUICK_GROUPS } from './plan.js';
import { printCounts, printGroup, printTargets } from './print.js';
import { groupResult, targetResult, type GroupResult } from './results.js';
import { measureOnSockets } from './sockets.js';
import { TARGETS } from './targets.js';
import type { Course } from './turns.js';

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const pace = quick
  ? { warmUpMs: 0, rounds: 1, roundMs: 0, windows: 1, turns: 1, processes: 1 }
  : { warmUpMs: 2000, rounds: 18, roundMs: 50, windows: 2, turns: 4, processes: 15 };
const machine = environment();
const results: GroupResult[] = [];
const leftOut: string[] = [];

function show(title: string, node: string, courses: readonly Course[]): void {
  const result = groupResult(title, node, courses);
  results.push(result);
  if (!quick) printGroup(result);
}

console.log(
  Object.entries(machine)
    .map((entry) => entry.join(' '))
    .join(', '),
);

const groups: Course[][] = [];
for (const group of quick ? QUICK_GROUPS : GROUPS) {
  const courses = await measureInProcess(group, pace, process.execPath);
  groups.push(courses);
  show(group.title, process.versions.node, courses);
}

for (const major of quick ? [] : OTHER_NODES) {
  const execPath = await otherNode(major);
  if (execPath === undefined) {
    leftOut.push(`Node ${String(major)}: the npm package node could not be had`);
    console.log(`\nleft out: ${String(leftOut.at(-1))}`);
  } else {
    show(GROUP_ON_OTHER_NODES.title, String(major), await measureInProcess(GROUP_ON_OTHER_NODES, pace, execPath));
  }
}

const onSockets = await measureOnSockets(quick ? ON_SOCKETS.slice(0, 4) : ON_SOCKETS, pace.turns, process.execPath);
show('real sockets', process.versions.node, onSockets);

const counts = await measureCounts(pace.processes);
if (quick) {
  const variants = results.flatMap(({ rows }) => rows).length;
  console.log(`${String(variants)} variants ran, and no answer was wrong; a quick run says nothing about speed`);
} else {
  const judged = TARGETS.flatMap((target) => {
    const judgement = groups.map((group) => judge(target, group)).find((found) => found !== undefined);
    return judgement === undefined ? [] : [[judgement, ratioOf(target, onSockets)] as const];
  });
  printTargets(judged);
  printCounts(counts);
  const targets = judged.map(([judgement, ratio]) => targetResult(judgement, ratio));
  const file = new URL('../results.json', import.meta.url);
  await writeFile(file, `${JSON.stringify({ machine, leftOut, targets, counts, groups: results }, undefined, 2)}\n`);
}
