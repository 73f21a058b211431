import { once } from 'node:events';
import { rmSync } from 'node:fs';

/** After the last test. */
export default async function removeBuild() {
  const folder = process.env['PACKAGE_BUILD_FOLDER'];
  if (folder === undefined) return;
  const build = globalThis.packageBuild;
  if (build.exitCode === null && build.signalCode === null) {
    build.kill();
    await once(build, 'exit');
  }
  delete process.env['PACKAGE_BUILD_FOLDER'];
  rmSync(folder, { recursive: true, force: true });
}
