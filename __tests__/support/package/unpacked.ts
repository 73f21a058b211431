import { cp, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../process/command.js';
import { builtPackage } from './built-package.js';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from './package-folder.js';

/** What the hosts in `consumers/js-esm` and `consumers/js-cjs` print: the answers that they gave to real requests. */
export const JAVASCRIPT_PRINTS = [
  '200 {"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"ssl://[2001:db8::1]:8529"}]}',
  '200 [{"endpoint":"http://10.0.0.1:8529"},{"endpoint":"https://[2001:db8::1]:8529"}]',
  '',
].join('\n');

/** A project of a user that has the packed package, its dependency and its peer: as npm would lay it out, without asking a registry. */
export interface Project {
  readonly folder: string;
  /** Copies one of the projects in `consumers/` into the folder, under its own name or another. */
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

export async function copyConsumer(name: string, folder: string, as = name): Promise<string> {
  const target = join(folder, as);
  await cp(join(PACKAGE_FOLDER, '__tests__/consumers', name), target, { recursive: true });
  return target;
}
