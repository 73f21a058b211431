import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { helpText } from '../../lib/cli/output.js';
import { runCommand } from '../support/process/command.js';
import { freePort } from '../support/process/free-port.js';
import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let installation: Installation;

/** Runs the command as `npx` finds it in the folder; `use` may talk to it once it has said what to try. */
async function run(args: readonly string[], use?: (stop: () => void) => Promise<void>): Promise<Ended> {
  const command = join(installation.folder, 'node_modules/.bin/express-endpoint-listing');
  const child = spawn(command, args, { cwd: installation.folder });
  let [stdout, stderr] = ['', ''];
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('try: curl')) resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (use !== undefined) {
    await Promise.race([ready, ended]);
    await use(() => child.kill('SIGINT'));
  }
  const [exitCode] = await ended;
  return { exitCode, stdout, stderr };
}

describeWithRegistry('The packed tarball, installed in an empty folder', () => {
  beforeAll(async () => {
    installation = await installPackage([]);
  });
  afterAll(() => installation.remove());

  it('npx express-endpoint-listing --version prints the version', async () => {
    const { folder } = installation;
    expect(await runCommand('npx', ['express-endpoint-listing', '--version'], { cwd: folder })).toBe('0.1.0\n');
  });

  it('--help prints this text', async () => {
    // What stands in it, __tests__/cli/serve/run-server.test.ts has.
    expect(await run(['--help'])).toEqual({ exitCode: 0, stderr: '', stdout: `${helpText()}\n` });
  });

  it('serves what it is told to, says so, and ends at Ctrl-C with exit code 0', async () => {
    const port = String(await freePort());
    const socket = join(installation.folder, 'x.sock');
    const args = ['--server.endpoint', `tcp://127.0.0.1:${port}`, '--server.endpoint', `unix://${socket}`];
    let listing = '';
    const ended = await run(args, async (stop) => {
      listing = await (await fetch(`http://127.0.0.1:${port}/_api/endpoint`)).text();
      stop();
    });
    expect(listing).toBe(`[{"endpoint":"http://127.0.0.1:${port}"},{"endpoint":"unix://${socket}"}]`);
    expect(ended).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `express-endpoint-listing 0.1.0, single, listening on:
  tcp://127.0.0.1:${port}
  unix://${socket}
try: curl http://127.0.0.1:${port}/_api/endpoint
stopped
`,
    });
  });

  it('is stopped by SIGTERM with exit code 0, and by no SIGHUP, before it is ready', async () => {
    const agency = `http://127.0.0.1:${String(await freePort())}`;
    const args = ['--server.endpoint', 'tcp://127.0.0.1:0', '--cluster.my-role', 'COORDINATOR'];
    const etcd = ['--cluster.my-address=tcp://me', '--cluster.agency-endpoint', agency, '--cluster.wait=3600'];
    const child = spawn(join(installation.folder, 'node_modules/.bin/express-endpoint-listing'), [...args, ...etcd]);
    const ended = once(child, 'close');
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await once(child.stderr, 'data');
    child.kill('SIGHUP');
    child.kill('SIGTERM');
    expect([await ended, stdout]).toEqual([[0, null], 'stopped\n']);
  });

  it('refuses a wrong option with one line and exit code 1', async () => {
    expect(await run(['--sever.endpoint', 'tcp://h:1'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'express-endpoint-listing: command line: "--sever.endpoint": unknown option "--sever.endpoint", did you mean --server.endpoint? (see --help)\n',
    });
  });
});
