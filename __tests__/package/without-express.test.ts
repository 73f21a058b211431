import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { unpackPackage, type Project } from '../support/package/unpacked.js';
import { runCommand } from '../support/process/command.js';

describe('A project without Express, types included,', () => {
  let project: Project;
  beforeAll(async () => {
    project = await unpackPackage();
    const modules = join(project.folder, 'node_modules');
    await rm(join(modules, 'express'));
    await mkdir(join(modules, '@types'));
    for (const name of ['@types/node', 'undici-types']) {
      await symlink(join(PACKAGE_FOLDER, 'node_modules', name), join(modules, name), 'junction');
    }
  });
  afterAll(() => project.remove());

  it('compiles config, client, directory, dns-srv, etcd, upstream and health, with every library checked', async () => {
    const folder = await project.addConsumer('ts-without-express');
    const compiler = join(PACKAGE_FOLDER, 'node_modules/typescript-7/bin/tsc');

    await expect(runCommand('node', [compiler, '-p', '.'], { cwd: folder })).resolves.toBe('');
  });
});
