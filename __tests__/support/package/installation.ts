import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../process/command.js';
import { builtPackage } from './built-package.js';
import { removeFolder, temporaryFolder } from './package-folder.js';
import { copyConsumer, type Project } from './unpacked.js';

/** A project into which npm installed the packed package, as a user does it. */
export interface Installation extends Project {
  readonly lockfile: { readonly packages: Readonly<Record<string, { readonly version: string }>> };
}

/** Runs `npm install` with the tarball and other packages, such as `express@4`, in a new folder. */
export async function installPackage(
  others: readonly string[],
  options: readonly string[] = [],
): Promise<Installation> {
  const { tarball } = await builtPackage();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...options, tarball, ...others], {
    cwd: folder,
  });
  return {
    folder,
    lockfile: JSON.parse(
      await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
    ) as Installation['lockfile'],
    addConsumer: (name, as) => copyConsumer(name, folder, as),
    remove: () => removeFolder(folder),
  };
}
