import { measureCounts } from './counts.js';
import { environment, environmentText, otherNode } from './environment.js';
import { measureInProcess } from './gate.js';
import { judge, ratioOf } from './judge.js';
import { GROUP_ON_OTHER_NODES, GROUPS, ON_SOCKETS, OTHER_NODES, PROFILED } from './plan.js';
import { measureProfiles } from './profiles.js';
import { groupResult, type GroupResult, type TargetResult } from './results.js';
import { measureOnSockets } from './sockets.js';
import { terminalTable } from './table.js';
import { countTable, groupTable, profileTable, targetTable, type Captioned } from './tables.js';
import { TARGETS } from './targets.js';
import type { Course } from './turns.js';
import { writeResults } from './write-results.js';

const PACE = { warmUpMs: 1000, rounds: 8, roundMs: 50, windows: 2 };

/** Measures everything, judges the targets, prints the tables as they come, and writes them beside the sources. */
export async function runInFull(): Promise<void> {
  const versions = environment();
  console.log(environmentText(versions));
  const results: GroupResult[] = [];
  const leftOut: string[] = [];
  const keep = (title: string, node: string, courses: readonly Course[]): void => {
    const result = groupResult(title, node, courses);
    results.push(result);
    print(groupTable(result));
  };

  const groups: Course[][] = [];
  for (const group of GROUPS) {
    const courses = await measureInProcess(group, PACE, process.execPath);
    groups.push(courses);
    keep(group.title, process.versions.node, courses);
  }
  for (const major of OTHER_NODES) {
    const node = await otherNode(major);
    if (node === undefined) {
      leftOut.push(`Node ${String(major)}: the npm package "node" could not be had`);
      console.log(`\nleft out: ${leftOut.join(', ')}`);
    } else {
      keep(GROUP_ON_OTHER_NODES.title, node.version, await measureInProcess(GROUP_ON_OTHER_NODES, PACE, node.execPath));
    }
  }
  const onSockets = await measureOnSockets(ON_SOCKETS, 3);
  keep('Real sockets', process.versions.node, onSockets);

  const profiles = await measureProfiles(PROFILED, PACE.warmUpMs, 2000);
  print(profileTable(profiles));
  const counts = await measureCounts(15);
  const targets = judgeAll(groups, onSockets);
  print(countTable(counts));
  print(targetTable(targets));
  await writeResults({ environment: versions, leftOut, targets, counts, groups: results, profiles });
}

function judgeAll(groups: readonly Course[][], onSockets: readonly Course[]): TargetResult[] {
  return TARGETS.flatMap((target) => {
    const judgement = groups.map((group) => judge(target, group)).find((found) => found !== undefined);
    return judgement === undefined ? [] : [{ ...judgement, onSockets: ratioOf(target, onSockets) }];
  });
}

function print({ title, rows, notes }: Captioned): void {
  console.log(['', title, terminalTable(rows), ...notes].join('\n'));
}
