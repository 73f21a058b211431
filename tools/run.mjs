// Runs a program that this folder installs: `node tools/run.mjs redocly lint openapi.json`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from './install.mjs';

const [program, ...args] = process.argv.slice(2);
const { status, error } = spawnSync(join(installIn('tools'), '.bin', program), args, {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (error) throw error;
process.exitCode = status ?? 1;
