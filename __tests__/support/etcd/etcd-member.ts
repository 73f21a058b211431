import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtPackage } from '../package/built-package.js';
import { hasEnded } from '../process/child.js';
import { until } from '../until.js';

/** In the copy of the package that was built. */
const PROGRAM = '__tests__/support/etcd/etcd-member-program.mjs';

/** A Coordinator in a process of its own. */
export interface Member {
  /** What it has said so far: `registered`, `lost`, `restored`, `closed`. */
  readonly said: readonly string[];
  /** Ends once the process has. Gives its exit code. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** SIGSTOP. */
  freeze(): void;
  thaw(): void;
}

/** Starts a member; resolves when it is registered. */
export async function startMember(hosts: readonly string[], endpoint: string, ttlSeconds: number): Promise<Member> {
  const { folder } = await builtPackage();
  const child = spawn(process.execPath, [join(folder, PROGRAM), JSON.stringify({ hosts, endpoint, ttlSeconds })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    // Not `end`: all that it has said must have come.
    if (!hasEnded(child)) {
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  try {
    await until(
      `${endpoint} is registered`,
      () => {
        if (hasEnded(child)) throw new Error(`the member has ended: ${errors}`);
        return said.includes('registered');
      },
      30_000,
    );
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
  return { said, stop, freeze: () => child.kill('SIGSTOP'), thaw: () => child.kill('SIGCONT') };
}
