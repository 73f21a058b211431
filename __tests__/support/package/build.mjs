// Copies the package as a fresh clone has it, packs it there as `npm publish` does, and writes what came of it to build.json.
// For the long run it also compiles the example there: example.json.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const [folder, kindOfRun] = process.argv.slice(2);
const source = resolve(import.meta.dirname, '../../..');
const copy = join(folder, 'package');

/** What git ignores is in no clone. */
const IGNORED = /^(([^/]+\/)?node_modules|build|dist|coverage|reports|\.git|\.stryker-tmp.*|[^/]+\/dist)(\/|$)|\.tgz$/;
const isCloned = (path) => !IGNORED.test(relative(source, path).replaceAll('\\', '/'));

const run = (program, ...args) =>
  execFileSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function pack() {
  mkdirSync(copy);
  cpSync(source, copy, { recursive: true, filter: isCloned });
  symlinkSync(join(source, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const printed = run('npm', 'pack', '--json', '--pack-destination', folder);
  // What `prepack` prints comes first.
  const [{ filename, files }] = JSON.parse(printed.slice(printed.search(/^\[$/m)));
  return { folder: copy, tarball: join(folder, filename), files };
}

function compileExample() {
  run(process.execPath, join('node_modules', 'typescript-7', 'bin', 'tsc'), '-p', 'tsconfig.example.json');
  return { folder: copy };
}

const steps = { build: pack, ...(kindOfRun === 'long' && { example: compileExample }) };
for (const [name, step] of Object.entries(steps)) {
  let result;
  try {
    result = step();
  } catch (error) {
    result = { failure: [error.message, error.stdout, error.stderr].filter(Boolean).join('\n') };
  }
  // Renamed, since a test that looks meanwhile must not read half of it.
  writeFileSync(join(folder, 'new.json'), JSON.stringify(result));
  renameSync(join(folder, 'new.json'), join(folder, `${name}.json`));
}
