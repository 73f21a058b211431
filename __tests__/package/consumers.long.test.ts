import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackage, type Installation } from '../support/package/installation.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { describeWithRegistry } from '../support/package/registry.js';
import { JAVASCRIPT_PRINTS } from '../support/package/unpacked.js';
import { runCommand } from '../support/process/command.js';

/** What each project of `consumers/` prints: the answers that its host gave to real requests. */
const PRINTS = {
  'js-esm': JAVASCRIPT_PRINTS,
  'js-cjs': JAVASCRIPT_PRINTS,
  'ts-esm': "200 [ { endpoint: 'tcp://10.0.0.1:8529' } ]\n[ 'https://[2001:db8::1]:8529' ]\n",
  'ts-cjs': [
    '403 {"code":403,"error":true,"errorMessage":"operation only allowed in system database","errorNum":1230}',
    '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
    "[ 'https://[2001:db8::1]:8529' ]",
    '',
  ].join('\n'),
  'ts-no-interop': [
    '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
    '200 [{"endpoint":"https://[2001:db8::1]:8529"}]',
    '',
  ].join('\n'),
};

type Version = '5.4' | '6' | '7';
type Resolution = 'node10' | 'node16' | 'nodenext' | 'bundler';

/** The resolutions in which the oldest and the newest compiler read the declarations of every entry. */
const RESOLUTIONS: Readonly<Record<Version, readonly Resolution[]>> = {
  '5.4': ['node10', 'node16', 'nodenext', 'bundler'],
  '6': [],
  '7': ['node16', 'nodenext', 'bundler'],
};

/** The kind of modules that goes with a resolution, and the files in which such modules stand. */
const MODULES: Readonly<Record<Resolution, { module: string; files: readonly string[] }>> = {
  node10: { module: 'commonjs', files: ['index.ts'] },
  node16: { module: 'node16', files: ['index.mts', 'index.cts'] },
  nodenext: { module: 'nodenext', files: ['index.mts', 'index.cts'] },
  bundler: { module: 'esnext', files: ['index.ts'] },
};

const manifest = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as { exports: object };
/** The names under which code of the package is imported: its own, and that of each subpath. */
const ENTRIES = Object.keys(manifest.exports)
  .filter((entry) => !entry.endsWith('.json'))
  .map((entry) => entry.replace('.', 'express-endpoint-listing'));

/** Uses every entry of the package, so that the compiler reads all its declarations. */
const source = (): string =>
  ENTRIES.map((entry, at) => `import * as entry${String(at)} from '${entry}';\nexport { entry${String(at)} };\n`).join(
    '',
  ) +
  `import express from 'express';
import { createEndpointRouter, type EndpointRouterOptions } from 'express-endpoint-listing';

const options: EndpointRouterOptions = { endpoints: ({ req }) => [req.get('host') ?? 'tcp://10.0.0.1'] };
export const app: express.Express = express().use(createEndpointRouter(options));
// @ts-expect-error: no such option.
createEndpointRouter({ endpoints: [], endpiont: 1 });
`;

/** The newest two are there to build and lint this package; the oldest one is installed in the project. */
function compilerOf(version: Version, { folder }: Installation): string {
  if (version === '5.4') return join(folder, 'node_modules/typescript-5.4/bin/tsc');
  return join(PACKAGE_FOLDER, 'node_modules', version === '6' ? 'typescript/bin/tsc' : 'typescript-7/bin/tsc');
}

const HOSTS = [
  {
    express: '5',
    others: ['express@5', '@types/express@5', '@types/node@20', 'typescript-5.4@npm:typescript@5.4'],
    compiled: [
      ['5.4', []],
      ['6', ['ts-esm', 'ts-cjs']],
      ['7', []],
    ],
  },
  {
    express: '4',
    others: ['express@4', '@types/express@4', '@types/node@20', 'typescript-5.4@npm:typescript@5.4'],
    compiled: [
      // It still knows modules without `esModuleInterop`.
      ['5.4', ['ts-cjs', 'ts-no-interop']],
      ['7', []],
    ],
  },
  { express: '5.0.0', others: ['express@5.0.0'] },
  { express: '4.17.0', others: ['express@4.17.0'] },
] as const;

describeWithRegistry('The packed package, installed beside', () =>
  describe.each(HOSTS)('express $express,', (host) => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await installPackage(host.others);
    });
    afterAll(() => installation.remove());

    it('leaves that version in place', () => {
      const { version } = installation.lockfile.packages['node_modules/express'] ?? {};
      expect(`${String(version)}.`.startsWith(`${host.express}.`)).toBe(true);
    });

    it.each(['js-esm', 'js-cjs'] as const)('answers both routes in %s', async (name) => {
      const folder = await installation.addConsumer(name);
      await expect(runCommand('node', ['index.js'], { cwd: folder })).resolves.toBe(PRINTS[name]);
    });

    if (!('compiled' in host)) return;
    for (const [version, consumers] of host.compiled) {
      const resolutions = RESOLUTIONS[version];
      const what = [
        ...resolutions.map((resolution) => `resolved by ${resolution}`),
        ...consumers.map((name) => `in ${name}, which answers both routes`),
      ];
      it(`compiles with TypeScript ${version} and every library checked: ${what.join(', ')}`, async () => {
        const { folder } = installation;
        const projects: string[] = [...consumers];
        for (const name of consumers) await installation.addConsumer(name);
        for (const moduleResolution of resolutions) {
          const project = `${version}-${moduleResolution}`;
          projects.push(project);
          const { module, files } = MODULES[moduleResolution];
          const compilerOptions = {
            ...{ target: 'es2022', lib: ['es2022'], module, moduleResolution, esModuleInterop: true, types: ['node'] },
            ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
            noEmit: true,
          };
          await mkdir(join(folder, project));
          await writeFile(join(folder, project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
          for (const file of files) await writeFile(join(folder, project, file), source());
        }
        // In one process, for a compiler takes most of its time to get going.
        const args = [compilerOf(version, installation), '--build', ...projects];
        await expect(runCommand('node', args, { cwd: folder })).resolves.toBe('');
        for (const name of consumers) {
          const printed = await runCommand('node', ['out/index.js'], { cwd: join(folder, name) });
          expect(printed).toBe(PRINTS[name]);
        }
      });
    }
  }),
);
