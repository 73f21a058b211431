import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { removeFolder, temporaryFolder } from '../support/package/package-folder.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { copyConsumer, JAVASCRIPT_PRINTS } from '../support/package/unpacked.js';
import { runCommand } from '../support/process/command.js';

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The development dependencies without which the package cannot be built. */
const TO_BUILD = [
  ...['@types/express', '@types/http-errors', '@types/node', 'express'],
  ...['typescript-7', 'rollup', 'rollup-plugin-dts', 'typescript'],
];

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
    await runCommand('npx', pnpm, { cwd: folder, timeout: 500_000 });
    await expect(answers()).resolves.toBe(JAVASCRIPT_PRINTS);
  });

  it('from a git repository, where nothing is built', async () => {
    const repository = join(folder, 'repository');
    const { folder: built } = await builtPackage();
    const left = ['node_modules', 'dist', 'build', 'package-lock.json'];
    await cp(built, repository, { recursive: true, filter: (path) => !left.includes(relative(built, path)) });
    const manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8')) as Manifest;
    // All the others take npm a minute, and do nothing here.
    const needed = Object.entries(manifest.devDependencies).filter(([name]) => TO_BUILD.includes(name));
    const devDependencies = Object.fromEntries(needed);
    await writeFile(join(repository, 'package.json'), JSON.stringify({ ...manifest, devDependencies }));
    const author = ['-c', 'user.name=tests', '-c', 'user.email=tests@example.org'];
    await runCommand('git', ['init', '--quiet'], { cwd: repository });
    await runCommand('git', ['add', '--all'], { cwd: repository });
    await runCommand('git', [...author, 'commit', '--quiet', '--message', 'all'], { cwd: repository });
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `git+file://${repository}`, 'express@5'];
    await runCommand('npm', install, { cwd: folder, timeout: 500_000 });
    await expect(answers()).resolves.toBe(JAVASCRIPT_PRINTS);
  });
});
