import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../until.js';

/** A program that a test has started, and what it has printed so far. */
export interface Started {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export function start(program: string, args: readonly string[], options: SpawnOptions = {}): Started {
  const child = spawn(program, args, options);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => (printed[stream] += text));
  return { child, stdout: () => printed.stdout, stderr: () => printed.stderr };
}

/** Waits until a program is ready; one that ends instead is killed, and fails the test with all that it has said, as one that takes too long. */
export async function untilReady(
  { child, stdout, stderr }: Started,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  try {
    await until(`${child.spawnfile} is ready`, () => {
      if (hasEnded(child)) throw new Error('it has ended');
      return isReady();
    });
  } catch (error) {
    await end(child);
    throw new Error(`${stdout()}${stderr()}`, { cause: error });
  }
}

/** Whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Sends a signal that ends a process, and waits until it has. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
