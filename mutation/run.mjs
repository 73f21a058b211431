import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SURVIVORS } from './survivors.mjs';

const PACKAGE_FOLDER = join(import.meta.dirname, '..');
/** The score below which the run fails. */
const AT_LEAST = 90;

/** Every folder of lib that holds modules. The modules at its top are tried with those of the router. */
function foldersOfLib() {
  const entries = readdirSync(join(PACKAGE_FOLDER, 'lib'), { recursive: true, encoding: 'utf8' });
  const modules = entries.filter((entry) => entry.endsWith('.ts') && entry.includes('/'));
  return [...new Set(modules.map((path) => path.slice(0, path.lastIndexOf('/'))))].sort();
}

/** Tries the mutants of one folder against its tests. */
function tryMutants(folder) {
  const config = join(import.meta.dirname, 'stryker.config.mjs');
  const env = { ...process.env, FOLDER: folder };
  spawnSync('npx', ['stryker', 'run', config], { cwd: PACKAGE_FOLDER, env, stdio: 'inherit' });
  const report = JSON.parse(readFileSync(join(PACKAGE_FOLDER, `reports/mutation/${folder}.json`), 'utf8'));
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, location, replacement }) => ({ file, status, code: textAt(source, location), replacement })),
  );
}

function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

const isKilled = ({ status }) => status === 'Killed' || status === 'Timeout';
const isAlive = ({ status }) => status === 'Survived' || status === 'NoCoverage';
/** A survivor is known by its module, what stood there and what stands there now. */
const keyOf = ({ file, code, replacement }) => [file, code, replacement].join('\n');
const named = new Set(SURVIVORS.map(keyOf));

function summary(name, mutants) {
  const killed = mutants.filter(isKilled).length;
  const alive = mutants.filter(isAlive).length;
  return { name, killed, alive, score: ((100 * killed) / (killed + alive)).toFixed(1) };
}

const asked = process.argv.slice(2);
const tried = (asked.length > 0 ? asked : foldersOfLib()).map((folder) => ({ folder, mutants: tryMutants(folder) }));
const all = tried.flatMap(({ mutants }) => mutants);
console.table([...tried.map(({ folder, mutants }) => summary(folder, mutants)), summary('lib', all)]);

const unnamed = all.filter((mutant) => isAlive(mutant) && !named.has(keyOf(mutant)));
for (const { file, code, replacement } of unnamed) {
  console.log(
    `${file}: no test fails, and survivors.mjs has no reason why, when\n  ${code}\nbecomes\n  ${replacement}`,
  );
}
process.exitCode = unnamed.length === 0 && Number(summary('lib', all).score) >= AT_LEAST ? 0 : 1;
