import { readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { withPart, type Part } from './results.js';
import { markdownTable, type Captioned } from './tables.js';

/** Beside the sources; this file runs below them. */
const RESULTS = new URL('../results.md', import.meta.url);

/** Writes one part of `results.md`, and leaves the other as it is. */
export async function writePart(
  part: Part,
  introduction: readonly string[],
  tables: readonly Captioned[],
): Promise<void> {
  const text = [
    ...introduction,
    ...tables.flatMap(({ title, rows, notes }) => [`## ${title}`, markdownTable(rows), ...notes]),
  ].join('\n\n');
  const markdown = withPart(await readFile(RESULTS, 'utf8'), part, text);
  await writeFile(RESULTS, await format(markdown, { parser: 'markdown' }));
}
