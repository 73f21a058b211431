import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { majorOf, worseThanCommitted, type CommittedRatios, type Ratios } from './committed.js';
import { countInstructions } from './count-process.js';
import { BARE, COMPARED, GUARDED, OTHER_ANSWERS } from './count-plan.js';
import { environmentText, findNodes, type Node } from './environment.js';
import { print, writePart, type Table } from './results.js';
import { nameOf, type Variant } from './variant.js';

/** Beside the sources; this file runs below them. */
const COMMITTED = new URL('../committed-ratios.json', import.meta.url);

/** Thousand instructions of one request, by the name of the variant. */
type Counts = ReadonlyMap<string, number>;

/** Counts everything on each version of Node, and writes the tables. */
export async function runCounts(nodes: readonly Node[]): Promise<void> {
  const tables: Table[] = [];
  for (const node of nodes) {
    tables.push(countTable(node, await countAll([...COMPARED, ...OTHER_ANSWERS], node)));
    // After each, so that a run that is stopped leaves what it has.
    await writePart('Instructions', environmentText(['express', 'express4', 'fastify']), tables);
  }
}

/** Counts single variants beside bare `node:http`. */
export async function countOnly(variants: readonly Variant[], nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) countTable(node, await countAll([BARE, ...variants], node));
}

/** Counts what is guarded, on each major version of Node that has committed ratios; exit code 1 when one is above those. */
export async function checkRatios(): Promise<void> {
  const committed = JSON.parse(await readFile(COMMITTED, 'utf8')) as CommittedRatios;
  const here = majorOf(process.versions.node);
  const majors = Object.keys(committed).map(majorOf);
  const worse: string[] = [];
  for (const node of await findNodes(majors.map((major) => (major === here ? process.execPath : major))))
    worse.push(...worseThanCommitted(node.version, await guardedRatios(node), committed));
  console.log(worse.length === 0 ? 'no ratio is above what is committed' : worse.join('\n'));
  if (worse.length > 0) process.exitCode = 1;
}

/** Counts what is guarded, and takes the ratios for those that later changes are held against. */
export async function commitRatios(nodes: readonly Node[]): Promise<void> {
  const committed: Record<string, Ratios> = {};
  for (const node of nodes) committed[node.version] = await guardedRatios(node);
  await writeFile(COMMITTED, `${JSON.stringify(committed satisfies CommittedRatios, null, 2)}\n`);
}

async function guardedRatios(node: Node): Promise<Ratios> {
  const counts = await countAll([BARE, ...GUARDED], node);
  countTable(node, counts);
  return Object.fromEntries(GUARDED.map(nameOf).map((name) => [name, Number(toBare(name, counts).toFixed(3))]));
}

const toBare = (name: string, counts: Counts): number => (counts.get(name) ?? NaN) / (counts.get(nameOf(BARE)) ?? NaN);

/** As many at a time as there are processors. */
async function countAll(variants: readonly Variant[], { execPath }: Node): Promise<Counts> {
  const counts = new Map(variants.map((variant) => [nameOf(variant), NaN]));
  const waiting = variants.values();
  const lane = async (): Promise<void> => {
    for (const variant of waiting) {
      const thousands = (await countInstructions(variant, execPath)) / 1000;
      console.log(`${thousands.toFixed(1).padStart(9)}  ${nameOf(variant)}`);
      counts.set(nameOf(variant), thousands);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return counts;
}

function countTable({ version }: Node, counts: Counts): Table {
  const table = {
    title: `Thousand instructions of one request, Node ${version}`,
    rows: [
      ['', 'thousand instructions', '/ bare node:http'],
      ...[...counts].map(([name, count]) => [name, count.toFixed(1), toBare(name, counts).toFixed(3)]),
    ],
  };
  print(table);
  return table;
}
