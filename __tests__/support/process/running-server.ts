import { tmpdir } from 'node:os';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { FakeTerminal } from './fake-terminal.js';
import { freePort } from './free-port.js';

/** Arguments to listen on a port that is free now. */
export const anyPort = async (host = '127.0.0.1'): Promise<string[]> => [
  '--server.endpoint',
  `tcp://${host}:${String(await freePort())}`,
];

interface RunOptions {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a server until its announcement, lets the test ask it at the first address that it names, and stops it. */
export async function runUntilAsked(
  args: readonly string[],
  ask: (url: string, terminal: FakeTerminal) => Promise<void>,
  { folder = tmpdir(), env = {} }: RunOptions = {},
): Promise<{ exitCode: number; terminal: FakeTerminal }> {
  const terminal = new FakeTerminal(folder);
  Object.assign(terminal.env, env);
  const done = runServer(args, terminal);
  const failed = done.then((exitCode) => {
    throw new Error(`exited with ${String(exitCode)}: ${terminal.complaints.join('\n')}`);
  });
  await Promise.race([terminal.until(/^try: curl/), failed]);
  failed.catch(() => undefined);
  const endpoint = terminal.lines[1]?.trim() ?? '';
  try {
    await ask(endpoint.replace('tcp:', 'http:').replace('ssl:', 'https:'), terminal);
  } finally {
    terminal.emit('SIGTERM');
  }
  return { exitCode: await done, terminal };
}
