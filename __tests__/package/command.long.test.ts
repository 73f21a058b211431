import { once } from 'node:events';
import { join } from 'node:path';
import { helpText } from '../../lib/cli/output.js';
import { start, untilReady, type Started } from '../support/process/child.js';
import { runCommand } from '../support/process/command.js';
import { freePort } from '../support/process/free-port.js';
import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';

let installation: Installation;

/** Starts the command as `npx` finds it in the folder. */
const run = (...args: string[]): Started =>
  start(join(installation.folder, 'node_modules/.bin/express-endpoint-listing'), args, { cwd: installation.folder });

/** How it has ended, and all that it has said. */
async function ended({ child, stdout, stderr }: Started): Promise<[exitCode: unknown, stdout: string, stderr: string]> {
  await once(child, 'close');
  return [child.exitCode, stdout(), stderr()];
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
    expect(await ended(run('--help'))).toEqual([0, `${helpText()}\n`, '']);
  });

  it('serves what it is told to, says so, and ends at Ctrl-C with exit code 0', async () => {
    const port = String(await freePort());
    const socket = join(installation.folder, 'x.sock');
    const server = run('--server.endpoint', `tcp://127.0.0.1:${port}`, '--server.endpoint', `unix://${socket}`);
    const end = ended(server);
    await untilReady(server, () => server.stdout().includes('try: curl'));
    const listing = await (await fetch(`http://127.0.0.1:${port}/_api/endpoint`)).text();
    expect(listing).toBe(`[{"endpoint":"http://127.0.0.1:${port}"},{"endpoint":"unix://${socket}"}]`);
    server.child.kill('SIGINT');
    expect(await end).toEqual([
      0,
      `express-endpoint-listing 0.1.0, single, listening on:
  tcp://127.0.0.1:${port}
  unix://${socket}
try: curl http://127.0.0.1:${port}/_api/endpoint
stopped
`,
      '',
    ]);
  });

  it('is stopped by SIGTERM with exit code 0, and by no SIGHUP, before it is ready', async () => {
    const agency = `http://127.0.0.1:${String(await freePort())}`;
    const args = ['--server.endpoint', 'tcp://127.0.0.1:0', '--cluster.my-role', 'COORDINATOR'];
    const etcd = ['--cluster.my-address=tcp://me', '--cluster.agency-endpoint', agency, '--cluster.wait=3600'];
    const server = run(...args, ...etcd);
    const end = ended(server);
    await untilReady(server, () => server.stderr() !== '');
    server.child.kill('SIGHUP');
    server.child.kill('SIGTERM');
    expect((await end).slice(0, 2)).toEqual([0, 'stopped\n']);
  });

  it('refuses a wrong option with one line and exit code 1', async () => {
    expect(await ended(run('--sever.endpoint', 'tcp://h:1'))).toEqual([
      1,
      '',
      'express-endpoint-listing: command line: "--sever.endpoint": unknown option "--sever.endpoint", did you mean --server.endpoint? (see --help)\n',
    ]);
  });
});
