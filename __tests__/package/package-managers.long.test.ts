import { cp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { removeFolder, temporaryFolder } from '../support/package/package-folder.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { copyConsumer } from '../support/package/unpacked.js';
import { runCommand } from '../support/process/command.js';

const ANSWERS = [
  '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[2001:db8::1]:8529"}]}',
  '200 [{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[2001:db8::1]:8529"}]',
  '',
].join('\n');

jest.setTimeout(300_000);

describeWithRegistry('The package answers both routes, installed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  });
  afterEach(() => removeFolder(folder));

  async function answers(): Promise<string> {
    const consumer = await copyConsumer('js-esm', folder);
    return runCommand('node', ['index.js'], { cwd: consumer });
  }

  it('by pnpm, which lets a package import only what it names', async () => {
    const { tarball } = await builtPackage();
    const pnpm = ['--yes', 'pnpm@10', 'add', '--store-dir', join(folder, 'store'), tarball, 'express@5'];
    await runCommand('npx', pnpm, { cwd: folder, timeout: 240_000 });
    await expect(answers()).resolves.toBe(ANSWERS);
  });

  it('from a git repository, where nothing is built', async () => {
    const repository = join(folder, 'repository');
    const { folder: built } = await builtPackage();
    const isTracked = (path: string): boolean => !['node_modules', 'dist', 'build'].includes(relative(built, path));
    await cp(built, repository, { recursive: true, filter: isTracked });
    const author = ['-c', 'user.name=tests', '-c', 'user.email=tests@example.org'];
    await runCommand('git', ['init', '--quiet'], { cwd: repository });
    await runCommand('git', ['add', '--all'], { cwd: repository });
    await runCommand('git', [...author, 'commit', '--quiet', '--message', 'all'], { cwd: repository });
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `git+file://${repository}`, 'express@5'];
    await runCommand('npm', install, { cwd: folder, timeout: 280_000 });
    await expect(answers()).resolves.toBe(ANSWERS);
  });
});
