import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../process/command.js';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from './package-folder.js';

/** A folder into which the packed package was installed, as a user does it. */
export interface Installation {
  readonly folder: string;
  readonly lockfile: Lockfile;
  /** Copies one of the projects in `consumers/` into the folder. */
  addConsumer(name: string): Promise<string>;
  remove(): Promise<void>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

/** Runs `npm install` with the tarball and other packages, such as `express@4`, in a new folder. */
export async function installPackage(
  tarball: string,
  others: readonly string[],
  options: readonly string[] = [],
): Promise<Installation> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...options, tarball, ...others], {
    cwd: folder,
  });
  return {
    folder,
    lockfile: JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as Lockfile,
    addConsumer: async (name) => {
      const target = join(folder, name);
      await cp(join(PACKAGE_FOLDER, '__tests__/consumers', name), target, { recursive: true });
      return target;
    },
    remove: () => removeFolder(folder),
  };
}
