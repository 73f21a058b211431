import { spawnSync } from 'node:child_process';

/**
 * A `describe` for tests that install packages. Where npm reaches no registry they are left out, and the last line of the run
 * says so (left-out-reporter.mjs); with `CI=true` that is a failure.
 */
export function describeWithRegistry(name: string, tests: () => void): void {
  if (process.env['CI'] === 'true' || reachesRegistry()) {
    describe(name, tests);
    return;
  }
  describe(name, () => test.skip('needs the registry of npm', () => undefined));
}

function reachesRegistry(): boolean {
  const args = ['view', 'http-errors', 'version', '--fetch-retries=0', '--fetch-timeout=10000'];
  return spawnSync('npm', args, { timeout: 30_000, shell: process.platform === 'win32' }).status === 0;
}
