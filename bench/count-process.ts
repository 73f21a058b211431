import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Variant } from './variant.js';

const run = promisify(execFile);

/** Until V8 has compiled what it will, before callgrind looks on and after: slowly, then. */
const WARM_UP = 40_000;
const SETTLING = 2000;
/**
 * A process turns its event loop between two lots, and only there its timers run: that of Node's `Date` header, which makes V8
 * compile once more what writes heads, has to come while the process warms up.
 */
const LOT = 500;
/** Long enough for a handful of garbage collections. */
const WINDOW = 10_000;

/**
 * Without these, one process has other hash tables and compiles at other moments than the next, which is worth 5 %. And the space
 * for young objects has the size to which it otherwise grows on the way, so that garbage is collected equally often all the time.
 *
 * Old objects are marked in one go: in small steps on one thread, Node 22 never comes to the end of it, and every request pays.
 */
const DETERMINISTIC = [
  ...['--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1'],
  ...['--min-semi-space-size=16', '--max-semi-space-size=16', '--no-incremental-marking'],
];

/**
 * The instructions of one request to a variant, in user space, counted by valgrind's callgrind in a steady window of a process of
 * its own. They hardly depend on what else the machine does, so a change of 2 % can be seen.
 *
 * Node runs on one thread, so that collecting garbage and compiling are counted where they happen.
 */
export async function countInstructions(variant: Variant, node = process.execPath): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'instructions-'));
  const worker = fileURLToPath(new URL('count-worker.js', import.meta.url));
  const child = spawn(
    'valgrind',
    [
      ...['--tool=callgrind', '--instr-atstart=no', `--callgrind-out-file=${join(folder, 'out')}`, '--quiet'],
      ...[node, ...DETERMINISTIC, worker, JSON.stringify(variant)],
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  const exited = once(child, 'exit');
  try {
    await reply(child);
    for (let asked = 0; asked < WARM_UP; asked += LOT) await ask(child, LOT);
    await control(child, '--instr=on');
    await ask(child, SETTLING);
    await control(child, '--zero');
    // What it costs to be asked and to be watched.
    const nothing = await countOf(child, 0, folder);
    return ((await countOf(child, WINDOW, folder)) - nothing) / WINDOW;
  } finally {
    if (child.connected) child.disconnect();
    await exited;
    await rm(folder, { recursive: true });
  }
}

async function ask(child: ChildProcess, requests: number): Promise<void> {
  const done = reply(child);
  child.send(requests);
  await done;
}

/** Its next message; an error when it ends instead. */
async function reply(child: ChildProcess): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process that is counted ended with exit code ${String(code)}`);
  });
  try {
    await Promise.race([once(child, 'message', { signal }), ended]);
  } finally {
    settled.abort();
  }
}

async function control(child: ChildProcess, command: string): Promise<void> {
  await run('callgrind_control', [command, String(child.pid)]);
}

/** A dump has what was counted since the last one. */
async function countOf(child: ChildProcess, requests: number, folder: string): Promise<number> {
  const before = new Set(await readdir(folder));
  await ask(child, requests);
  await control(child, '--dump');
  const dumps = (await readdir(folder)).filter((name) => !before.has(name));
  const texts = await Promise.all(dumps.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.reduce((sum, text) => sum + Number(/^totals: (\d+)/m.exec(text)?.[1] ?? NaN), 0);
}
