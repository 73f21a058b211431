import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of the package under test. */
export const PACKAGE_FOLDER = resolve(__dirname, '../../..');

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'express-endpoint-listing-'));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
