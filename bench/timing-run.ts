import { writeFile } from 'node:fs/promises';
import { measureAtHalfLoad, measureConnections } from './concurrency.js';
import { environment, environmentText, findNodes } from './environment.js';
import { figure, measureFigures, type Figure } from './figures.js';
import { measureInProcess, measureProfiles } from './gate.js';
import { judge, nsPerEntry, ratioOf } from './judge.js';
import {
  AT_HALF_LOAD,
  GROUPS,
  GROUPS_ON_OTHER_NODES,
  ON_CONNECTIONS,
  ON_SOCKETS,
  PROFILED,
  QUICK_GROUPS,
} from './plan.js';
import { groupResult, resultsJson, type GroupResult, type TargetResult } from './results.js';
import { measureOnSockets } from './sockets.js';
import {
  allTables,
  connectionsTable,
  figureTable,
  groupTable,
  halfLoadTable,
  print,
  profileTable,
  targetTable,
} from './tables.js';
import { TARGETS } from './targets.js';
import type { Course } from './turns.js';
import { writePart, writeTable } from './write-results.js';

const SECONDS_AT_HALF_LOAD = 5;
const PACE = { warmUpMs: 1000, rounds: 8, roundMs: 50, windows: 2 };

/** Measures everything, judges the targets, prints the tables as they come, and writes them beside the sources. */
export async function runTimings(nodes: readonly string[]): Promise<void> {
  const versions = environment();
  console.log(environmentText(versions));
  const results: GroupResult[] = [];
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
  const { found, leftOut } = await findNodes(nodes);
  for (const { version, execPath } of found) {
    for (const group of GROUPS_ON_OTHER_NODES) {
      keep(group.title, version, await measureInProcess(group, PACE, execPath));
    }
  }
  const onSockets = await measureOnSockets(ON_SOCKETS, 3);
  keep('Real sockets', process.versions.node, onSockets);

  const connections = await measureConnections(ON_CONNECTIONS, 2);
  print(connectionsTable(connections));
  const halfLoad = await measureAtHalfLoad(AT_HALF_LOAD, SECONDS_AT_HALF_LOAD);
  print(halfLoadTable(halfLoad));

  const profiles = await measureProfiles(PROFILED, PACE.warmUpMs, 2000);
  print(profileTable(profiles));
  const figures = [...slopes(groups), ...(await measureFigures(15))];
  const targets = judgeAll(groups, onSockets);
  print(figureTable(figures));
  print(targetTable(targets));
  const all = { environment: versions, leftOut, targets, figures, connections, halfLoad, groups: results, profiles };
  await writeFile(new URL('../results.json', import.meta.url), resultsJson(all));
  await writePart('Timings', [environmentText(versions), ...leftOut], allTables(all));
}

/** Measures half of the highest load only, and replaces that table. */
export async function runHalfLoad(): Promise<void> {
  const table = halfLoadTable(await measureAtHalfLoad(AT_HALF_LOAD, SECONDS_AT_HALF_LOAD));
  print(table);
  await writeTable(table);
}

/** Runs every kind of variant once, to see that it runs. A wrong answer throws. */
export async function runQuick(): Promise<void> {
  const pace = { warmUpMs: 0, rounds: 1, roundMs: 0, windows: 1 };
  let variants = 0;
  for (const { variants: all } of QUICK_GROUPS) {
    variants += (await measureInProcess({ variants: all, passes: 1 }, pace, process.execPath)).length;
  }
  variants += (await measureOnSockets(ON_SOCKETS.slice(0, 3), 1)).length;
  variants += (await measureConnections(ON_CONNECTIONS.slice(0, 1), 1)).length;
  variants += (await measureAtHalfLoad(AT_HALF_LOAD.slice(1), 1)).length;
  await measureProfiles(PROFILED.slice(0, 1), 0, 100);
  await measureFigures(1);
  console.log(`${String(variants)} variants ran, and no answer was wrong; how fast they are, only a full run can tell`);
}

/** A list that may have changed is compared entry by entry. */
function slopes(groups: readonly Course[][]): Figure[] {
  return ([5, 4] as const).flatMap((express) =>
    groups.flatMap((group) => {
      const ns = nsPerEntry({ server: 'createAppServer', express }, group);
      return ns === undefined ? [] : [figure(`ns an entry, list that is not frozen, Express ${String(express)}`, ns)];
    }),
  );
}

function judgeAll(groups: readonly Course[][], onSockets: readonly Course[]): TargetResult[] {
  return TARGETS.flatMap((target) => {
    const judgement = groups.map((group) => judge(target, group)).find((found) => found !== undefined);
    return judgement === undefined ? [] : [{ ...judgement, onSockets: ratioOf(target, onSockets) }];
  });
}
