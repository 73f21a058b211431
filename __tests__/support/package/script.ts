import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PRELOAD = join(__dirname, 'listen-anywhere.mjs');
/** Milliseconds until a script has failed to listen or to end. */
const LIMIT = 60_000;

/** A script that runs, and listens. */
export interface RunningScript {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Everything that it has printed. */
  printed(): string;
  /** Sends it a signal, and tells how it ended. */
  end(signal: NodeJS.Signals): Promise<string>;
  stop(): Promise<void>;
}

/** Runs a script until it listens; the port that it names is replaced by a free one. */
export async function startScript(
  script: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningScript> {
  const { child, printed, ended } = start(script, args, env);
  const end = (signal: NodeJS.Signals): Promise<string> => {
    child.kill(signal);
    return ended;
  };
  const stop = async (): Promise<void> => {
    await end('SIGKILL');
  };
  const listening = once(child, 'message', { signal: AbortSignal.timeout(LIMIT) });
  const early = ended.then((code) => Promise.reject(new Error(`it ended before it listened: ${code}\n${printed()}`)));
  try {
    const [{ port }] = (await Promise.race([listening, early])) as [{ port: number }];
    early.catch(() => undefined);
    return { origin: `http://127.0.0.1:${String(port)}`, printed, end, stop };
  } catch (error) {
    listening.catch(() => undefined);
    await stop();
    throw error;
  }
}

/** Runs a script to its end, and gives what it printed; one that fails is told with that. */
export async function runScript(script: string, args: readonly string[] = []): Promise<string> {
  const { child, printed, ended } = start(script, args);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT);
  const code = await ended;
  clearTimeout(timer);
  if (code !== 'exit code 0') throw new Error(`it failed: ${code}\n${printed()}`);
  return printed();
}

interface StartedScript {
  readonly child: ChildProcess;
  readonly printed: () => string;
  readonly ended: Promise<string>;
}

function start(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): StartedScript {
  const child = fork(script, args, {
    env: { ...process.env, ...env },
    execArgv: ['--import', PRELOAD],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'close').then(() =>
    child.exitCode === null ? `signal ${String(child.signalCode)}` : `exit code ${String(child.exitCode)}`,
  );
  return { child, printed: () => printed, ended };
}
