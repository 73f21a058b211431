import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { end, start, untilReady } from './child.js';
import { builtPackage } from '../package/built-package.js';
import { freePort } from './free-port.js';

/** A runnable server in a process of its own. */
export interface ServerProcess {
  readonly endpoint: string;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a Coordinator that registers at the agency and lists who is there; resolves when it says that it is ready. */
export async function startCoordinator(agency: readonly string[]): Promise<ServerProcess> {
  const { folder } = await builtPackage();
  const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
  const args = ['--server.endpoint', endpoint, '--cluster.my-role', 'COORDINATOR', '--cluster.my-address', endpoint];
  const more = agency.flatMap((url) => ['--cluster.agency-endpoint', url]);
  const server = start(process.execPath, [join(folder, 'dist/esm/cli.js'), ...args, ...more]);
  await untilReady(server, () => server.stdout().includes('try: curl'));
  return { endpoint, child: server.child, kill: (signal) => end(server.child, signal) };
}
