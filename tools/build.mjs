// Builds the package, unless what is there is newer than all that it is made of.
import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const changedAt = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((path) => join('lib', path));
const made = ['lib', ...sources, 'package.json', 'package-lock.json', 'rollup.config.mjs'];

// What rollup writes last.
if (changedAt('dist/cjs/testing.d.ts') < Math.max(...made.map(changedAt), changedAt('tsconfig.build.json')))
  execSync('npm run build', { cwd: root, stdio: 'inherit' });
