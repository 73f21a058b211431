// Prints API.md for the built package in the current folder: what each entry declares, by name and without comments.
import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const { name: packageName, exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));
const printer = ts.createPrinter({ removeComments: true });

/** Imports first and exports last; in between by name, so that what moves from file to file changes nothing here. */
function placeOf(statement) {
  if (ts.isImportDeclaration(statement)) return `0${statement.moduleSpecifier.text}`;
  return ts.isExportDeclaration(statement)
    ? '2'
    : `1${(statement.name ?? statement.declarationList.declarations[0].name).text}`;
}

function surfaceOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements
    .map((statement) => [placeOf(statement), printer.printNode(ts.EmitHint.Unspecified, statement, source)])
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([, text]) => text)
    .join('\n');
}

const sections = Object.entries(entries)
  .filter(([, conditions]) => conditions.import !== undefined)
  .map(
    ([entry, conditions]) =>
      `## ${entry.replace('.', packageName)}\n\n\`\`\`ts\n${surfaceOf(conditions.import.types)}\n\`\`\``,
  );
const report = `# The public API\n\nWritten by \`npm run api\` from the declarations of the built package. The pages in [docs](docs) explain it.\n\n${sections.join('\n\n')}`;
process.stdout.write(await format(report, { ...(await resolveConfig('API.md')), parser: 'markdown' }));
