import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { countInstructions } from './count-process.js';
import {
  countError,
  countRatio,
  judgeCounts,
  worseThanCommitted,
  type CommittedRatios,
  type CountedVariant,
} from './count-judge.js';
import { BARE, COUNTED, COUNTED_BESIDE, COUNTED_ON_OTHER_NODES, COUNT_TARGETS, GUARDED } from './count-plan.js';
import { environment, environmentText, findNodes, type OtherNode } from './environment.js';
import { limitText } from './judge.js';
import { percent, print, type Captioned } from './tables.js';
import { eachInLanes } from './turns.js';
import { nameOf, type Variant } from './variant.js';
import { writePart } from './write-results.js';

/** Beside the sources; this file runs below them. */
const COMMITTED = new URL('../committed-ratios.json', import.meta.url);

/** Counts everything on this Node and the main things on others, judges the targets, and writes the tables. */
export async function runCounts(nodes: readonly string[]): Promise<void> {
  const { found, leftOut } = await findNodes(nodes);
  const tables: Captioned[] = [];
  // After each, so that a run that is stopped leaves what it has.
  const keep = async (...more: Captioned[]): Promise<void> => {
    for (const table of more) print(table);
    tables.push(...more);
    await writePart('Instructions', [environmentText(environment()), ...leftOut], tables);
  };
  const here = process.versions.node;
  const counts = await countAll(COUNTED);
  await keep(targetTable(counts), countTable(here, counts));
  for (const node of found) await keep(countTable(node.version, await countAll(COUNTED_ON_OTHER_NODES, node)));
  await keep(countTable(`${here}, beside others`, await countAll([BARE, ...COUNTED_BESIDE])));
}

/** Counts single variants, each with its ratio to bare `node:http`. */
export async function countOnly(variants: readonly Variant[]): Promise<void> {
  print(countTable(process.versions.node, await countAll([BARE, ...variants])));
}

/** Counts what is guarded, and ends with exit code 1 when a ratio to bare `node:http` is above the committed one. */
export async function checkRatios(): Promise<void> {
  const committed = JSON.parse(await readFile(COMMITTED, 'utf8')) as CommittedRatios;
  if (majorOf(committed.node) !== majorOf(process.versions.node)) {
    throw new Error(`the committed ratios are those of Node ${committed.node}; this is ${process.versions.node}`);
  }
  const worse = worseThanCommitted(await guardedRatios(), committed);
  console.log(worse.length === 0 ? 'no ratio is above what is committed' : worse.join('\n'));
  if (worse.length > 0) process.exitCode = 1;
}

/** Counts what is guarded, and takes the ratios for those that later changes are held against. */
export async function commitRatios(): Promise<void> {
  const rounded = Object.entries(await guardedRatios()).map(([name, ratio]) => [name, Number(ratio.toFixed(3))]);
  const committed = { node: process.versions.node, toBare: Object.fromEntries(rounded) as Record<string, number> };
  await writeFile(COMMITTED, `${JSON.stringify(committed satisfies CommittedRatios, null, 2)}\n`);
}

async function guardedRatios(): Promise<Record<string, number>> {
  const counts = await countAll([BARE, ...GUARDED]);
  print(countTable(process.versions.node, counts));
  return Object.fromEntries(GUARDED.map((guarded) => [nameOf(guarded), countRatio(guarded, BARE, counts)]));
}

async function countAll(variants: readonly Variant[], node?: OtherNode): Promise<CountedVariant[]> {
  const counts: CountedVariant[] = [];
  await eachInLanes(variants, availableParallelism(), async (variant, index) => {
    const instructions = await countInstructions(variant, node?.execPath);
    console.log(`${String(Math.round(instructions)).padStart(9)}  ${nameOf(variant)}`);
    counts[index] = { variant, instructions };
  });
  return counts;
}

function countTable(node: string, counts: readonly CountedVariant[]): Captioned {
  const copies = counts.some(({ variant }) => variant.again > 0);
  return {
    title: `Thousand instructions of one request, Node ${node}`,
    rows: [
      ['server | what answers', 'thousand instructions', '/ bare node:http'],
      ...counts.map(({ variant, instructions }) => [
        nameOf(variant),
        (instructions / 1000).toFixed(1),
        countRatio(variant, BARE, counts).toFixed(3),
      ]),
    ],
    notes: copies ? [`error: counts of the same code were ${percent(countError(counts))} apart`] : [],
  };
}

function targetTable(counts: readonly CountedVariant[]): Captioned {
  return {
    title: 'Targets of the counts',
    rows: [
      ['createAppServer, list of 3', 'limit', 'ratio', 'verdict'],
      ...judgeCounts(COUNT_TARGETS, counts).map(({ target, ratio, verdict }) => [
        target.figure,
        limitText(target.limit),
        ratio.toFixed(3),
        verdict,
      ]),
    ],
    notes: [],
  };
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}
