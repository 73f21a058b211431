import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/** A table with a title; the first row is the head, and all columns but the first are figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Beside the sources; this file runs below them. */
const PAGE = new URL('../results.md', import.meta.url);

function markdown({ title, rows: [head = [], ...body] }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return `## ${title}\n\n${[head, rule, ...body].map(line).join('')}`;
}

export function print({ title, rows }: Table): void {
  console.log(`\n${title}`);
  for (const [name = '', ...figures] of rows)
    console.log(name.padEnd(64) + figures.map((figure) => figure.padStart(22)).join(''));
}

/** The parts of the page, which runs of their own write. */
const PARTS = ['Instructions', 'Time'] as const;

/** Writes one part of the page of results, and leaves the other as it is. */
export async function writePart(
  part: (typeof PARTS)[number],
  measuredOn: string,
  tables: readonly Table[],
): Promise<void> {
  const sections = (await readFile(PAGE, 'utf8')).split(/^(?=# )/m);
  const text = [`# ${part}`, measuredOn, ...tables.map(markdown)].join('\n\n');
  const page = PARTS.map((each) =>
    each === part ? text : (sections.find((one) => one.startsWith(`# ${each}\n`)) ?? ''),
  );
  const options = await resolveConfig(PAGE);
  await writeFile(PAGE, await format(page.join('\n\n'), { ...options, parser: 'markdown' }));
}
