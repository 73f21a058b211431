import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { withPart, withTable, type Part } from './results.js';
import { markdownTable, type Captioned } from './tables.js';

/** Beside the sources; this file runs below them. */
const RESULTS = new URL('../results.md', import.meta.url);

/** Writes one part of `results.md`, and leaves the other as it is. */
export async function writePart(
  part: Part,
  introduction: readonly string[],
  tables: readonly Captioned[],
): Promise<void> {
  const text = [...introduction, ...tables.map((table) => `## ${table.title}\n\n${textOf(table)}`)].join('\n\n');
  await rewrite((page) => withPart(page, part, text));
}

/** Writes one table of `results.md`, and leaves all others as they are. */
export async function writeTable(table: Captioned): Promise<void> {
  await rewrite((page) => withTable(page, table.title, textOf(table)));
}

const textOf = ({ rows, notes }: Captioned): string => [markdownTable(rows), ...notes].join('\n\n');

async function rewrite(change: (page: string) => string): Promise<void> {
  const markdown = change(await readFile(RESULTS, 'utf8'));
  await writeFile(RESULTS, await format(markdown, { parser: 'markdown' }));
}
