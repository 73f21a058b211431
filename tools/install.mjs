import { execSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of a folder that has a lock file of its own, unless they are there as the lock file says. */
export function installIn(name) {
  const folder = join(import.meta.dirname, '..', name);
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
    // What a program prints for its reader is not mixed with what npm says.
    execSync('npm ci --no-audit --no-fund', { cwd: folder, stdio: ['ignore', 2, 2] });
    copyFileSync(lock, installed);
  }
  return join(folder, 'node_modules');
}

// `node tools/install.mjs bench`
if (process.argv[1] === import.meta.filename) installIn(process.argv[2]);
