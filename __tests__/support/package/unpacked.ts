import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { runCommand } from '../process/command.js';
import { builtPackage } from './built-package.js';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from './package-folder.js';

/** What the host in `consumers/js.js` prints: the answers that it gave to real requests. */
export const JAVASCRIPT_PRINTS = [
  '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[2001:db8::1]:8529"}]}',
  '200 [{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[2001:db8::1]:8529"}]',
  '',
].join('\n');

/** A project of a user that has the packed package, its dependency and its peer: as npm would lay it out, without asking a registry. */
export interface Project {
  readonly folder: string;
  /** Makes a project of a source in `consumers/` in the folder, under its own name or another. */
  addConsumer(name: string, as?: string): Promise<string>;
  remove(): Promise<void>;
}

/** Unpacks the tarball in a new folder, beside the Express and the http-errors that the tests have. */
export async function unpackPackage(): Promise<Project> {
  const { tarball } = await builtPackage();
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await mkdir(modules);
  await runCommand('tar', ['-xzf', tarball], { cwd: modules });
  await rename(join(modules, 'package'), join(modules, 'express-endpoint-listing'));
  for (const name of ['express', 'http-errors']) {
    await symlink(join(PACKAGE_FOLDER, 'node_modules', name), join(modules, name), 'junction');
  }
  return {
    folder,
    addConsumer: (name, as) => copyConsumer(name, folder, as),
    remove: () => removeFolder(folder),
  };
}

/** How the compiler is to resolve the modules of a project, by the name of its source. */
const MODULES: Readonly<Record<string, object>> = {
  'ts-esm': { module: 'nodenext' },
  'ts-cjs': { module: 'node16' },
  'ts-no-interop': { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: false },
  'ts-directories': { module: 'nodenext' },
  'ts-without-express': { module: 'nodenext' },
};

/** Makes a project of a source in `consumers/`; of `js`, `js-esm` and `js-cjs`. */
export async function copyConsumer(name: string, folder: string, as = name): Promise<string> {
  const target = join(folder, as);
  const [source, kind = ''] = name.startsWith('js-') ? ['js.js', name.slice('js-'.length)] : [`${name}.ts`];
  const isCommonJs = kind === 'cjs' || name === 'ts-cjs' || name === 'ts-no-interop';
  const text = await readFile(join(PACKAGE_FOLDER, '__tests__/consumers', source), 'utf8');
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const compilerOptions = { target: 'es2022', lib: ['es2022'], types: ['node'], outDir: 'out', esModuleInterop: true };
  const files = {
    'package.json': JSON.stringify({ private: true, type: isCommonJs ? 'commonjs' : 'module' }),
    [`index${extname(source)}`]:
      kind === 'cjs' ? text.replace(/import (.*) from ('.*')/g, 'const $1 = require($2)') : text,
    'tsconfig.json': JSON.stringify({
      compilerOptions: { ...compilerOptions, ...strict, ...MODULES[name] },
      files: ['index.ts'],
    }),
  };
  await mkdir(target, { recursive: true });
  for (const [file, content] of Object.entries(files)) await writeFile(join(target, file), content);
  return target;
}
