import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPackage } from '../package/built-package.js';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from '../package/package-folder.js';

/** A folder in which code is compiled and run as in a user's project: the package and its development dependencies are installed. */
export interface Workspace {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function createWorkspace(): Promise<Workspace> {
  const folder = await temporaryFolder();
  const target = join(folder, 'node_modules');
  const source = join(PACKAGE_FOLDER, 'node_modules');
  await mkdir(target);
  for (const name of await readdir(source)) await symlink(join(source, name), join(target, name));
  const { folder: built } = await builtPackage();
  await symlink(built, join(target, 'express-endpoint-listing'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return { folder, remove: () => removeFolder(folder) };
}
