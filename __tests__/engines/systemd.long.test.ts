import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSystemd, type Systemd } from '../support/deploy/systemd.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { installPackage, type Installation } from '../support/package/installation.js';
import { removeFolder, temporaryFolder } from '../support/package/package-folder.js';
import { runCommand } from '../support/process/command.js';
import { until } from '../support/until.js';

const CONFIGURATION = 'express-endpoint-listing.conf';
const UPSTREAM = '[server]\nendpoint = tcp://127.0.0.1:8530\n[cluster]\nmy-role = COORDINATOR\n';

describeWithEngines('The systemd unit, run by systemd', ['systemd'], () => {
  let installed: Installation;
  let nodes: string;
  let systemd: Systemd | undefined;

  beforeAll(async () => {
    installed = await installPackage(['express@5']);
    // The unit runs as a user of its own.
    await chmod(installed.folder, 0o755);
    nodes = await temporaryFolder();
  });
  afterEach(async () => {
    await systemd?.stop();
    systemd = undefined;
  });
  afterAll(async () => {
    await installed.remove();
    await removeFolder(nodes);
  });

  const start = async (etc: Record<string, string>, node = process.execPath, dropIn = ''): Promise<Systemd> =>
    (systemd = await startSystemd({ node, packageFolder: installed.folder, etc, dropIn }));
  const listens = (started: Systemd): Promise<void> =>
    until('the unit listens', async () => (await started.log()).includes('try: curl'));

  async function nodeOf(version: string): Promise<string> {
    const folder = join(nodes, version);
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', `node@${version}`];
    await runCommand('npm', args, { cwd: folder });
    return join(folder, 'node_modules/node/bin/node');
  }

  it.each(['', '22', '24', '26'])('starts, reloads and stops on Node %s', async (version) => {
    const node = version === '' ? process.execPath : await nodeOf(version);
    const started = await start({ [CONFIGURATION]: '[server]\nendpoint = tcp://127.0.0.1:8529\n' }, node);
    await listens(started);
    await expect(started.exec('curl', '-s', 'http://127.0.0.1:8529/_api/endpoint')).resolves.toBe(
      '[{"endpoint":"http://127.0.0.1:8529"}]',
    );

    await started.exec('systemctl', 'reload', 'express-endpoint-listing');
    await until('it has reloaded', async () => (await started.log()).includes('configuration reloaded'));
    await expect(started.property('ActiveState')).resolves.toBe('active');

    await started.exec('systemctl', 'stop', 'express-endpoint-listing');
    await expect(started.property('Result')).resolves.toBe('success');
    await expect(started.property('ExecMainStatus')).resolves.toBe('0');
  });

  it('tries again for as long as its upstream is away at boot, and lists once it is there', async () => {
    const etc = {
      [CONFIGURATION]: '[cluster]\nmy-role = COORDINATOR\nupstream = http://127.0.0.1:8530\n',
      'upstream.conf': UPSTREAM,
    };
    // What counts is that no attempt is the last, not the five seconds between two.
    const started = await start(etc, process.execPath, 'RestartSec=100ms');
    await until('it has failed six times', async () => Number(await started.property('NRestarts')) >= 6);

    const command = '/opt/express-endpoint-listing/node_modules/express-endpoint-listing/dist/esm/cli.js';
    const upstream = ['-p', 'DefaultDependencies=no', '/opt/node', command, '-c', '/etc/upstream.conf'];
    await started.exec('systemd-run', ...upstream);
    const listing = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://127.0.0.1:8530"}]}';
    await until('it lists', async () => {
      const url = 'http://127.0.0.1:8529/_api/cluster/endpoints';
      return (await started.exec('curl', '-s', url).catch(() => '')) === listing;
    });
  });

  it('lets a proxy in its group use the socket file, and no other user', async () => {
    const socket = '/run/express-endpoint-listing/listing.sock';
    const started = await start({
      [CONFIGURATION]: `[server]\nendpoint = unix://${socket}\n`,
      group: 'root:x:0:\nproxy:x:13:\nendpoint-listing:x:990:proxy\n',
      passwd: 'root:x:0:0::/root:/bin/sh\nproxy:x:13:13::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n',
    });
    await listens(started);
    const ask = (user: string): Promise<string> =>
      started.exec(
        ...(['setpriv', '--reuid', user, '--regid', user === 'proxy' ? '13' : '65534', '--init-groups'] as const),
        ...['curl', '-s', '--unix-socket', socket, 'http://localhost/_api/endpoint'],
      );
    await expect(ask('proxy')).resolves.toBe(`[{"endpoint":"unix://${socket}"}]`);
    await expect(ask('nobody')).rejects.toThrow();
  });
});
