import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeBlocks, type CodeBlock } from './code-blocks.js';
import { compile } from './compile.js';
import { runScript, startScript } from '../script.js';
import { createWorkspace, type Workspace } from './workspace.js';

/** What a README may show without being run here, because a test elsewhere runs it. */
export interface Known {
  /** The lines of `sh` blocks. */
  readonly commands: readonly string[];
  /** The lines of `text` blocks: what a program prints. */
  readonly output: readonly string[];
}

const CODE = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

/**
 * Runs or compiles every code block of a README, and gives one complaint for each that is wrong, or that nothing can be done with:
 *
 * - `ts`, `mts`, `cts`, `js`, `mjs`, `cjs`: is type-checked, as a module of its own. Marked `run`, it is run to its end; marked
 *   `run GET /path`, it is run until it listens and must answer that path with 200 and JSON (or with the status behind the path);
 * - `json`: is parsed. Marked `answer`, it must equal what the last block that ran answered;
 * - `sh` and `text`: each line must be known.
 */
export async function checkReadme(file: string, known: Known): Promise<string[]> {
  const blocks = codeBlocks(await readFile(file, 'utf8'));
  const workspace = await createWorkspace();
  try {
    const complaints = [...(await checkTypes(blocks, workspace))];
    if (complaints.length === 0) complaints.push(...(await checkBehaviour(blocks, workspace, known)));
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

const sourceName = ({ line, language }: CodeBlock): string => `block-${String(line)}.${language}`;
const scriptName = (block: CodeBlock): string => sourceName(block).replace(/ts$/, 'js');

async function checkTypes(blocks: readonly CodeBlock[], { folder }: Workspace): Promise<Complaint[]> {
  const lines = new Map<string, number>();
  for (const block of blocks.filter(({ language }) => CODE.includes(language))) {
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

async function checkBehaviour(blocks: readonly CodeBlock[], { folder }: Workspace, known: Known): Promise<Complaint[]> {
  const complaints: Complaint[] = [];
  let lastAnswer: string | undefined;

  for (const block of blocks) {
    const complain = (text: string): void => {
      complaints.push({ line: block.line, text });
    };
    try {
      if (CODE.includes(block.language)) {
        lastAnswer = (await runMarked(block, join(folder, 'out', scriptName(block)))) ?? lastAnswer;
      } else if (block.language === 'json') {
        checkJson(block, lastAnswer);
      } else if (block.language === 'sh') {
        unknownLines(block, known.commands).forEach((line) => {
          complain(`no test is known to run "${line}"`);
        });
      } else if (block.language === 'text') {
        unknownLines(block, known.output).forEach((line) => {
          complain(`no test is known to print "${line}"`);
        });
      } else {
        complain(`nothing is known of "${block.language}"; known are ${[...CODE, 'json', 'sh', 'text'].join(', ')}`);
      }
    } catch (error) {
      complain((error as Error).message);
    }
  }
  return complaints;
}

/** What a block answered, if its mark asks for that. */
async function runMarked({ mark }: CodeBlock, script: string): Promise<string | undefined> {
  if (mark === '') return undefined;
  if (mark === 'run') {
    await runScript(script);
    return undefined;
  }
  const [, path, status = '200'] = /^run GET (\/\S*)(?: (\d{3}))?$/.exec(mark) ?? [];
  if (path === undefined) throw new Error(`unknown mark "${mark}"; known are "run" and "run GET /path [status]"`);
  const host = await startScript(script);
  try {
    const response = await fetch(host.origin + path);
    const body = await response.text();
    if (String(response.status) !== status) throw new Error(`GET ${path} answered ${String(response.status)}: ${body}`);
    return body;
  } finally {
    await host.stop();
  }
}

function checkJson({ mark, text }: CodeBlock, lastAnswer: string | undefined): void {
  const shown = compact(text);
  if (mark === '') return;
  if (mark !== 'answer') throw new Error(`unknown mark "${mark}"; known is "answer"`);
  if (shown !== lastAnswer) throw new Error(`the answer was ${lastAnswer ?? 'never asked for'}`);
}

function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    throw new Error('it is not JSON');
  }
}

function unknownLines({ text }: CodeBlock, known: readonly string[]): string[] {
  const lines = text.replace(/\s*\\\n\s*/g, ' ').split('\n');
  const relevant = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return relevant.filter((line) => !known.includes(line));
}
