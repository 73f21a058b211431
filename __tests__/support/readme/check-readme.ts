import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CHECKS, CODE, fileOf, sourceName, type Context, type Known } from './block-checks.js';
import { codeBlocks, type CodeBlock } from './code-blocks.js';
import { compile } from './compile.js';
import { createWorkspace } from './workspace.js';

/**
 * Runs or compiles every code block of a README, and gives one complaint for each that is wrong, or that nothing can be done with:
 *
 * - `ts`, `mts`, `cts`, `js`, `mjs`, `cjs`: is type-checked, as a module of its own. Marked `run`, it is run to its end; marked
 *   `run GET /path`, it is run until it listens and must answer that path with 200 (or with the status behind the path). Marked `file PATH`, it must be what stands in that file;
 * - `json`: is parsed. Marked `answer`, it must equal what the last block that was asked for something answered, and marked
 *   `answer GET /path`, what that block answers to this path;
 * - `ini`: is loaded as a configuration file;
 * - `sh` and `text`: each line must be known. Options of the server in an `sh` line that is not are read as the command reads them;
 *   `text` marked `drawing` is not checked.
 *
 * Marks stand behind the language, where no reader sees them. Blocks are only run when all of them compile.
 */
export async function checkReadme(file: string, known: Known): Promise<string[]> {
  const blocks = codeBlocks(await readFile(file, 'utf8'));
  const workspace = await createWorkspace();
  try {
    const typeErrors = await checkTypes(blocks, workspace.folder);
    const complaints = typeErrors.length > 0 ? typeErrors : await checkBlocks(blocks, workspace.folder, known);
    complaints.sort((one, other) => one.line - other.line);
    return complaints.map(({ line, text }) => `${basename(file)}:${String(line)}: ${text}`);
  } finally {
    await workspace.remove();
  }
}

interface Complaint {
  readonly line: number;
  readonly text: string;
}

async function checkTypes(blocks: readonly CodeBlock[], folder: string): Promise<Complaint[]> {
  const lines = new Map<string, number>();
  for (const block of blocks.filter((block) => CODE.includes(block.language) && fileOf(block) === undefined)) {
    const path = join(folder, sourceName(block));
    lines.set(path, block.line);
    await writeFile(path, block.text);
  }
  if (lines.size === 0) return [];
  return compile(folder, [...lines.keys()]).map(({ file, line, message }) => ({
    line: (lines.get(file) ?? 0) + line,
    text: message,
  }));
}

async function checkBlocks(blocks: readonly CodeBlock[], folder: string, known: Known): Promise<Complaint[]> {
  const context: Context = { folder, known, last: undefined };
  const complaints: Complaint[] = [];
  for (const block of blocks) {
    try {
      const check = CHECKS.get(block.language);
      if (check === undefined) {
        throw new Error(`nothing is known of "${block.language}"; known are ${[...CHECKS.keys()].join(', ')}`);
      }
      await check(block, context);
    } catch (error) {
      complaints.push({ line: block.line, text: (error as Error).message.replaceAll(join(folder, '/'), '') });
    }
  }
  return complaints;
}
