import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { environmentText } from './environment.js';
import { resultsJson, type Results } from './results.js';
import { markdownTable } from './table.js';
import { allTables } from './tables.js';

/** Writes `results.json`, and the same as tables in `results.md`. Both stand beside the sources; this file runs below them. */
export async function writeResults(results: Results): Promise<void> {
  const markdown = [
    '# Results',
    environmentText(results.environment),
    ...results.leftOut.map((line) => `Left out: ${line}.`),
    ...allTables(results).flatMap(({ title, rows, notes }) => [`## ${title}`, markdownTable(rows), ...notes]),
  ].join('\n\n');
  await writeFile(new URL('../results.json', import.meta.url), resultsJson(results));
  await writeFile(new URL('../results.md', import.meta.url), await format(markdown, { parser: 'markdown' }));
}
