import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindsTable, sourcesTable, tablesOf } from '../support/drivers/documented.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

describe('docs/drivers.md', () => {
  const tables = tablesOf(readFileSync(join(PACKAGE_FOLDER, 'docs/drivers.md'), 'utf8'));

  it.each([
    ['arangojs', ['arangojs']],
    ['Java', ['java', 'kafka-connect']],
    [
      'Go, Python and others',
      ['go', 'python-arango', 'python-arango-async', 'arangorb', 'arangodb-php', 'perl-arangodb2'],
    ],
  ])('says of each kind of answer what the rules of check say: %s', (_title, names) =>
    expect(tables).toContainEqual(kindsTable(names)),
  );

  it('names the run or the source behind each column', () => expect(tables).toContainEqual(sourcesTable()));
});
