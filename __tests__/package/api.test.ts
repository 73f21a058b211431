import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { runCommand } from '../support/process/command.js';

describe('API.md', () =>
  it('is the public API: what `npm run api` makes of the declarations in the package', async () => {
    const { folder } = await builtPackage();
    const script = join(PACKAGE_FOLDER, 'tools/api.mjs');
    const report = await runCommand('node', [script], { cwd: folder });
    expect(readFileSync(join(PACKAGE_FOLDER, 'API.md'), 'utf8')).toBe(report);
  }));
