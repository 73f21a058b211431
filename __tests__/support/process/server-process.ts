import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { end } from './child.js';
import { builtPackage } from '../package/built-package.js';
import { freePort } from './free-port.js';
import { until } from '../until.js';

const START_LIMIT_MS = 60_000;

/** A runnable server in a process of its own. */
export interface ServerProcess {
  readonly endpoint: string;
  readonly child: ChildProcess;
  /** Everything that it has said on stderr. */
  complaints(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a Coordinator that registers at the agency and lists who is there; resolves when it says that it is ready. */
export async function startCoordinator(agency: readonly string[]): Promise<ServerProcess> {
  const { folder } = await builtPackage();
  const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
  const args = ['--server.endpoint', endpoint, '--cluster.my-role', 'COORDINATOR', '--cluster.my-address', endpoint];
  const child = spawn(
    process.execPath,
    [join(folder, 'dist/esm/cli.js'), ...args, ...agency.flatMap((url) => ['--cluster.agency-endpoint', url])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [said, complaints] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const kill = (signal?: NodeJS.Signals): Promise<void> => end(child, signal);
  try {
    await until(`${endpoint} is ready`, () => isReady(child, said, complaints), START_LIMIT_MS);
  } catch (error) {
    await kill();
    throw error;
  }
  return { endpoint, child, complaints: () => complaints, kill };
}

function isReady({ exitCode }: ChildProcess, said: string, complaints: string): boolean {
  if (exitCode !== null) throw new Error(`it has ended with ${String(exitCode)}: ${complaints}`);
  return said.includes('try: curl');
}
