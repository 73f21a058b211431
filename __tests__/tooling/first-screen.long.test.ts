import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { describeWithRegistry } from '../support/package/registry.js';

describeWithRegistry('npm ci', () =>
  it('warns of nothing: neither of an engine nor of a script', () => {
    const folder = mkdtempSync(join(tmpdir(), 'express-endpoint-listing-'));
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(PACKAGE_FOLDER, file), join(folder, file));
    // Without the rest, it checks all that it would install.
    const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    rmSync(folder, { recursive: true });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }),
);
