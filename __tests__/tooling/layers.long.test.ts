import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

const LINT_IMPORTS = join(__dirname, '../support/package/lint-imports.mjs');

/** A file of lib, what it imports, and what the linter says of it. */
const PROBES: readonly [file: string, imported: string, ...complaints: string[]][] = [
  // endpoint.ts imports shown.ts.
  ['text/shown.ts', '../endpoint/endpoint.js', 'Dependency cycle detected', 'text is shared by what would be above it'],
  ['router/create-router.ts', '../listen/index.js', 'the core does not know listen'],
  ['dns-srv/options.ts', '../etcd/keys.js', 'only the index.ts of etcd is public'],
  ['client/options.ts', '../index.js', 'client needs no Express, and the root does'],
  ['client/options.ts', 'express', "'express' import is restricted from being used"],
  ['listen/options.ts', '../cli/output.js', 'nothing knows the command'],
  // parse.ts imports host.ts.
  ['endpoint/host.ts', './parse.js', 'Dependency cycle detected'],
  ['etcd/options.ts', '../directory/directory.js'],
];

it('The linter lets imports point downwards only, and in no circle', () => {
  const files = PROBES.map(([file, imported]) => [file, `export * from '${imported}';\n`]);
  const printed = execFileSync(process.execPath, [LINT_IMPORTS], {
    cwd: PACKAGE_FOLDER,
    input: JSON.stringify(files),
    encoding: 'utf8',
  });
  const complaints = (JSON.parse(printed) as string[][]).map((messages) =>
    messages.map((message) => message.replace(/^Unexpected path .* zone\. /, '')),
  );
  const expected = PROBES.map(([, , ...texts]) => texts.map((text) => expect.stringContaining(text) as string));
  expect(complaints).toEqual(expected);
});
