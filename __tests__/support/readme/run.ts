import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PRELOAD = join(__dirname, 'listen-anywhere.mjs');
/** Milliseconds until a block has failed to listen, to answer or to end. */
const LIMIT = 60_000;

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Runs a script until it listens, asks it for a path, and ends it. */
export async function askScript(script: string, path: string): Promise<Reply> {
  const { child, ended } = start(script);
  const listening = once(child, 'message', { signal: AbortSignal.timeout(LIMIT) });
  try {
    const port = await Promise.race([
      listening.then(([message]) => (message as { port: number }).port),
      ended.then((end) => {
        throw new Error(`it ended before it listened: ${end}`);
      }),
    ]);
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { signal: AbortSignal.timeout(LIMIT) });
    return { status: response.status, body: await response.text() };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Runs a script to its end; one that fails is told with what it printed. */
export async function runScript(script: string): Promise<void> {
  const { child, ended } = start(script);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT);
  const end = await ended;
  clearTimeout(timer);
  if (child.exitCode !== 0) throw new Error(`it failed: ${end}`);
}

function start(script: string): { child: ChildProcess; ended: Promise<string> } {
  const child = fork(script, [], { execArgv: ['--import', PRELOAD], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'close').then(
    () => `exit code ${String(child.exitCode)}, signal ${String(child.signalCode)}\n${printed}`,
  );
  return { child, ended };
}
