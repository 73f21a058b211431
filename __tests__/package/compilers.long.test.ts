import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage, type Installation } from '../support/package/installation.js';
import { entriesOfPackage } from '../support/package/manifest.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { runCommand } from '../support/process/command.js';

/** The oldest and the newest compiler, and the resolutions that each of them knows. */
const COMPILERS = [
  ['5.4', ['node10', 'node16', 'nodenext', 'bundler']],
  ['7', ['node16', 'nodenext', 'bundler']],
] as const;
type Resolution = (typeof COMPILERS)[number][1][number];

/** The kind of modules that goes with a resolution, and the files in which such modules stand. */
const MODULES: Readonly<Record<Resolution, { module: string; files: readonly string[] }>> = {
  node10: { module: 'commonjs', files: ['index.ts'] },
  node16: { module: 'node16', files: ['index.mts', 'index.cts'] },
  nodenext: { module: 'nodenext', files: ['index.mts', 'index.cts'] },
  bundler: { module: 'esnext', files: ['index.ts'] },
};

/** Uses every entry of the package, so that the compiler reads all its declarations. */
const source = (): string =>
  entriesOfPackage()
    .map((entry, at) => `import * as entry${String(at)} from '${entry}';\nexport { entry${String(at)} };\n`)
    .join('') +
  `import express from 'express';
import { createEndpointRouter, type EndpointRouterOptions } from 'express-endpoint-listing';

const options: EndpointRouterOptions = { endpoints: ({ req }) => [req.get('host') ?? 'tcp://10.0.0.1'] };
export const app: express.Express = express().use(createEndpointRouter(options));
// @ts-expect-error: no such option.
createEndpointRouter({ endpoints: [], endpiont: 1 });
`;

jest.setTimeout(400_000);

describeWithRegistry('The declarations of every entry compile, with every library checked,', () => {
  describe.each([4, 5])('with @types/express %i,', (major) => {
    let installation: Installation;
    beforeAll(async () => {
      const compilers = COMPILERS.map(([version]) => `typescript-${version}@npm:typescript@${version}`);
      installation = await installPackage([
        `express@${String(major)}`,
        `@types/express@${String(major)}`,
        '@types/node@20',
        ...compilers,
      ]);
    });
    afterAll(() => installation.remove());

    // In one process, for a compiler takes most of its time to get going.
    it.each(COMPILERS)('TypeScript %s and the module resolutions %j', async (version, resolutions) => {
      const folders = resolutions.map((resolution) => `${version}-${resolution}`);
      for (const [index, moduleResolution] of resolutions.entries()) {
        const folder = join(installation.folder, String(folders[index]));
        const { module, files } = MODULES[moduleResolution];
        const compilerOptions = {
          ...{ target: 'es2022', lib: ['es2022'], module, moduleResolution, esModuleInterop: true, types: ['node'] },
          ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
          noEmit: true,
        };
        await mkdir(folder);
        await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
        for (const file of files) await writeFile(join(folder, file), source());
      }
      const compiler = join(installation.folder, `node_modules/typescript-${version}/bin/tsc`);
      const built = runCommand('node', [compiler, '--build', ...folders], { cwd: installation.folder });
      await expect(built).resolves.toBe('');
    });
  });
});
