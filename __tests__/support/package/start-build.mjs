import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before the first test: starts to build and pack the package, once for the whole run, in a folder of its own, so that two runs
 * side by side do not meet. Nobody waits here; the tests that need the package do (built-package.ts).
 */
export default function startBuild(_globalConfig, { globals: { IS_LONG_RUN: isLongRun } }) {
  if (process.env['PACKAGE_BUILD_FOLDER'] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'express-endpoint-listing-build-'));
  // Jest's workers inherit it.
  process.env['PACKAGE_BUILD_FOLDER'] = folder;
  globalThis.packageBuild = fork(join(import.meta.dirname, 'build.mjs'), [folder, isLongRun ? 'long' : 'quick']);
}
