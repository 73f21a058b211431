import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.js';

/** No machine that runs these tests needs as long for a build. */
const LIMIT_MS = 300_000;

/** The package as `npm publish` packs it: built once for the whole run (start-build.mjs). */
export interface BuiltPackage {
  /** A copy of the package's folder, with what the build made of it. */
  readonly folder: string;
  /** The path of the tarball. */
  readonly tarball: string;
  /** What is in the tarball. */
  readonly files: readonly PackedFile[];
}

export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

/** Waits until the package is built. */
export function builtPackage(): Promise<BuiltPackage> {
  return resultOf<BuiltPackage>('build');
}

/** Waits until the files of `example` are compiled in the copy of the package, and gives their folder. */
export async function compiledExample(): Promise<string> {
  const { folder } = await resultOf<Pick<BuiltPackage, 'folder'>>('example');
  return join(folder, 'example/dist');
}

async function resultOf<T extends object>(step: string): Promise<T> {
  const file = join(buildFolder(), `${step}.json`);
  let result: T | { readonly failure: string } | undefined;
  await until(`${step} is done`, () => (result = readIfThere(file) as typeof result) !== undefined, LIMIT_MS);
  if (result === undefined || 'failure' in result) throw new Error(`${step} failed: ${String(result?.failure)}`);
  return result;
}

function buildFolder(): string {
  const folder = process.env['PACKAGE_BUILD_FOLDER'];
  if (folder === undefined) throw new Error('only the jest project "package" builds the package');
  return folder;
}

function readIfThere(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
