import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installPackage, type Installation } from '../support/package/installation.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { runCommand } from '../support/process/command.js';

/** Where the compilers are that are there to build and lint this package. */
const OWN = join(PACKAGE_FOLDER, 'node_modules');

describeWithRegistry(
  'The events of directories and registrations are typed, without Express and with every library checked,',
  () => {
    let installation: Installation;
    beforeAll(async () => {
      // Under a scope each, so that one installation has them all.
      const types = ['20.0.0', '20.10.8', '20.11.0', '20', 'latest'].map(
        (version) => `@types-${version}/node@npm:@types/node@${version}`,
      );
      installation = await installPackage([...types, 'typescript-5.4@npm:typescript@5.4'], ['--legacy-peer-deps']);
    });
    afterAll(() => installation.remove());

    /** A project that has types of Node in this version. */
    async function projectWith(types: string, source = 'ts-directories'): Promise<string> {
      const name = `${source}-${types}`;
      const config = join(await installation.addConsumer(source, name), 'tsconfig.json');
      const { compilerOptions, ...more } = JSON.parse(await readFile(config, 'utf8')) as { compilerOptions: object };
      const typeRoots = [join(installation.folder, `node_modules/@types-${types}`)];
      await writeFile(config, JSON.stringify({ ...more, compilerOptions: { ...compilerOptions, typeRoots } }));
      return name;
    }

    it.each([
      // Old types compile with the compilers of their time only.
      ['5.4', 'typescript-5.4/bin/tsc', ['20.0.0', '20.10.8', '20.11.0']],
      ['6', join(OWN, 'typescript/bin/tsc'), ['20', 'latest']],
      ['7', join(OWN, 'typescript-7/bin/tsc'), ['20', 'latest']],
    ])('by TypeScript %s', async (_, compiler, versions) => {
      const { folder } = installation;
      expect(installation.lockfile.packages).not.toHaveProperty(['node_modules/express']);
      const projects: string[] = [];
      for (const types of versions) projects.push(await projectWith(types));
      // What else needs no Express has the types of fetch, which old types do not.
      if (versions.includes('latest')) projects.push(await projectWith('20', 'ts-without-express'));
      const args = [resolve(folder, 'node_modules', compiler), '--build', ...projects];
      await expect(runCommand('node', args, { cwd: folder })).resolves.toBe('');
    });
  },
);
