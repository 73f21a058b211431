import { join } from 'node:path';
import { installPackage, type Installation } from '../support/package/installation.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { runCommand } from '../support/process/command.js';

/** The compiler that this package is built with. */
const OWN_COMPILER = PACKAGE_FOLDER;

jest.setTimeout(400_000);

describeWithRegistry('The events of directories and registrations are typed', () => {
  let installation: Installation | undefined;
  afterEach(() => installation?.remove());

  // Old types compile with the compilers of their time only.
  it.each([
    ['20.0.0', '5.4'],
    ['20.10.8', '5.4'],
    ['20.11.0', '5.4'],
    ['20', undefined],
    ['latest', undefined],
  ])('with @types/node %s, with every library checked and without Express', async (types, typescript) => {
    const others = [`@types/node@${types}`, ...(typescript === undefined ? [] : [`typescript@${typescript}`])];
    installation = await installPackage(others, ['--legacy-peer-deps']);
    const folder = await installation.addConsumer('ts-directories');
    expect(installation.lockfile.packages).not.toHaveProperty(['node_modules/express']);
    const compiler = join(
      typescript === undefined ? OWN_COMPILER : installation.folder,
      'node_modules/typescript/bin/tsc',
    );
    await expect(runCommand('node', [compiler, '-p', '.'], { cwd: folder })).resolves.toBe('');
  });
});
