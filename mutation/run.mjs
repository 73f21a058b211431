import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SURVIVORS } from './survivors.mjs';
import { comparedWith, mutantsOf, scoreOf } from './verdict.cjs';

const PACKAGE_FOLDER = join(import.meta.dirname, '..');
/** The score below which the run fails, in percent. */
const AT_LEAST = 90;

/** Every folder of lib that holds modules. The modules at its top are tried with those of the router. */
function foldersOfLib() {
  const entries = readdirSync(join(PACKAGE_FOLDER, 'lib'), { recursive: true, encoding: 'utf8' });
  const modules = entries.filter((entry) => entry.endsWith('.ts') && entry.includes('/'));
  return [...new Set(modules.map((path) => path.slice(0, path.lastIndexOf('/'))))].sort();
}

/** Tries the mutants of one folder against its tests. */
function tryMutants(folder) {
  const report = join(PACKAGE_FOLDER, `reports/mutation/${folder}.json`);
  rmSync(report, { force: true });
  const env = { ...process.env, FOLDER: folder };
  const config = join(import.meta.dirname, 'stryker.config.mjs');
  const { status } = spawnSync('npx', ['stryker', 'run', config], { cwd: PACKAGE_FOLDER, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the mutants of ${folder} could not be tried`);
  return mutantsOf(JSON.parse(readFileSync(report, 'utf8')));
}

const asked = process.argv.slice(2);
const tried = (asked.length > 0 ? asked : foldersOfLib()).map((folder) => ({ folder, mutants: tryMutants(folder) }));
const all = tried.flatMap(({ mutants }) => mutants);
const total = scoreOf(all);
console.table(Object.fromEntries([...tried.map(({ folder, mutants }) => [folder, scoreOf(mutants)]), ['all', total]]));

const { unnamed, outdated } = comparedWith(all, SURVIVORS);
for (const { file, line, code, replacement } of unnamed) {
  console.log(`${file}: survives without a reason in survivors.mjs\n  ${line}\n  ${code} => ${replacement}`);
}
for (const { file, line, code, replacement } of outdated) {
  console.log(`${file}: has a reason in survivors.mjs, and does not survive\n  ${line}\n  ${code} => ${replacement}`);
}
process.exitCode = unnamed.length === 0 && total.score >= AT_LEAST ? 0 : 1;
