import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../process/command.js';

/** The folder of the package under test. */
export const PACKAGE_FOLDER = resolve(__dirname, '../../..');

export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

export interface PackedPackage {
  /** The path of the tarball. */
  readonly tarball: string;
  readonly files: readonly PackedFile[];
  /** Removes the tarball. */
  remove(): Promise<void>;
}

/** Packs the package as `npm publish` would, from what `npm run build` made. */
export async function packPackage(): Promise<PackedPackage> {
  assertBuilt();
  const folder = await temporaryFolder();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(await runCommand('npm', args, { cwd: PACKAGE_FOLDER })) as [
    { filename: string; files: PackedFile[] },
  ];
  return { tarball: join(folder, packed.filename), files: packed.files, remove: () => removeFolder(folder) };
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'express-endpoint-listing-'));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** A test of yesterday's build would say nothing about today's source. */
export function assertBuilt(): void {
  const built = join(PACKAGE_FOLDER, 'dist/cjs/package.json');
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const entry of readdirSync(join(PACKAGE_FOLDER, 'lib'), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    if (statSync(source).mtimeMs > builtAt) throw new Error(`dist is missing, or older than ${source}: npm run build`);
  }
}
