import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadServerOptions } from '../../../lib/config/index.js';
import { PACKAGE_FOLDER } from '../package/package-folder.js';
import { runScript, startScript } from '../package/script.js';
import type { CodeBlock } from './code-blocks.js';

/** What a README may show without being run here, because a test elsewhere runs it. */
export interface Known {
  /** The lines of `sh` blocks. */
  readonly commands: readonly string[];
  /** The lines of `text` blocks: what a program prints. */
  readonly output: readonly string[];
}

/** What the check of one block needs to know of the others. */
export interface Context {
  readonly folder: string;
  readonly known: Known;
  /** The last block that was asked for something, and what it answered. */
  last: { readonly script: string; readonly answer: string } | undefined;
}

/** Checks one block, and throws an `Error` that says what is wrong with it. */
export type BlockCheck = (block: CodeBlock, context: Context) => void | Promise<void>;

export const sourceName = ({ line, language }: CodeBlock): string => `block-${String(line)}.${language}`;

/** The file that a block shows, where it shows one: a test elsewhere runs it. */
export const fileOf = ({ mark }: CodeBlock): string | undefined => /^file (\S+)$/.exec(mark)?.[1];

const checkCode: BlockCheck = async (block, context) => {
  if (block.mark === '') return;
  const file = fileOf(block);
  if (file !== undefined) {
    const text = readFileSync(join(PACKAGE_FOLDER, file), 'utf8');
    if (text !== block.text) throw new Error(`it is not what stands in ${file}`);
    return;
  }
  const script = join(context.folder, 'out', sourceName(block).replace(/ts$/, 'js'));
  if (block.mark === 'run') {
    await runScript(script);
    return;
  }
  const [, path, status = '200'] = /^run GET (\/\S*)(?: (\d{3}))?$/.exec(block.mark) ?? [];
  if (path === undefined) {
    throw new Error(`unknown mark "${block.mark}"; known are "run", "run GET /path [status]" and "file PATH"`);
  }
  context.last = { script, answer: await answerOf(script, path, status) };
};

/** The body that a script answers a path with. */
async function answerOf(script: string, path: string, status: string): Promise<string> {
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

const checkJson: BlockCheck = async ({ mark, text }, { last }) => {
  const shown = compact(text);
  if (mark === '') return;
  const [isAnswer, path] = /^answer(?: GET (\/\S*))?$/.exec(mark) ?? [];
  if (isAnswer === undefined) throw new Error(`unknown mark "${mark}"; known are "answer" and "answer GET /path"`);
  const answer = last && path !== undefined ? await answerOf(last.script, path, '200') : last?.answer;
  if (shown !== answer) throw new Error(`the answer was ${answer ?? 'never asked for'}`);
};

const checkConfiguration: BlockCheck = (block, { folder }) => {
  const configFile = join(folder, sourceName(block));
  writeFileSync(configFile, block.text);
  loadServerOptions({ args: [], configFile, env: {} });
};

const SERVER_COMMAND = 'npx express-endpoint-listing --';

const checkCommands: BlockCheck = ({ text }, { known }) => {
  const unknown = linesOf(text).filter((line) => !known.commands.includes(line));
  // The command itself is run elsewhere; here its options are read as it reads them.
  const [ours, others] = [true, false].map((isOurs) =>
    unknown.filter((line) => line.startsWith(SERVER_COMMAND) === isOurs),
  );
  for (const line of ours ?? []) loadServerOptions({ args: wordsOf(line).slice(2), env: {} });
  if (others?.length) throw new Error(`no test is known to run ${JSON.stringify(others)}`);
};

const checkOutput: BlockCheck = ({ mark, text }, { known }) => {
  if (mark === 'drawing') return;
  const unknown = linesOf(text).filter((line) => !known.output.includes(line));
  if (unknown.length > 0) throw new Error(`no test is known to print ${JSON.stringify(unknown)}`);
};

/** The languages of code, which are type-checked too. */
export const CODE = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

export const CHECKS: ReadonlyMap<string, BlockCheck> = new Map([
  ...CODE.map((language) => [language, checkCode] as const),
  ['json', checkJson],
  ['ini', checkConfiguration],
  ['sh', checkCommands],
  ['text', checkOutput],
]);

function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    throw new Error('it is not JSON');
  }
}

/** Lines as a shell reads them: continued ones joined, without blank ones and comments. */
function linesOf(text: string): string[] {
  const lines = text.replace(/\s*\\\n\s*/g, ' ').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** The words of a line, as a shell without variables splits it: blanks within single quotes belong to a word. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:'[^']*'|[^\s'])+/g), ([word]) => word.replaceAll("'", ''));
}
