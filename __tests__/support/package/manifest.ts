import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from './package-folder.js';

/** The names under which code of the package is imported: its own, and that of each subpath. */
export function entriesOfPackage(): string[] {
  const text = readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8');
  const { name, exports: entries } = JSON.parse(text) as { name: string; exports: Record<string, unknown> };
  const code = Object.keys(entries).filter((entry) => !entry.endsWith('.json'));
  return code.map((entry) => name + entry.slice('.'.length));
}
