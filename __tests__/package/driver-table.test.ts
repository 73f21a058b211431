import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

interface Row {
  readonly trouble: { readonly kind: string };
  readonly arangojs8: string;
  readonly arangojs10: string;
  readonly curl: string;
}

/** What the tests of the drivers expect. */
const rows = JSON.parse(
  readFileSync(join(PACKAGE_FOLDER, '__tests__/support/testing/driver-rows.json'), 'utf8'),
) as readonly Row[];

describe('The table of drivers in docs/testing.md', () => {
  it('says for each trouble what the drivers make of it in the tests', () => {
    const page = readFileSync(join(PACKAGE_FOLDER, 'docs/testing.md'), 'utf8');
    const [, section = ''] = page.split('## What drivers make of it');
    const [table = ''] = section.split('\n## ');
    const shown = Array.from(table.matchAll(/^\| `([^`]+)`[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm), (cells) =>
      cells.slice(1).map((cell) => cell.trim()),
    );
    expect(shown).toEqual(
      rows.map(({ trouble, arangojs8, arangojs10, curl }) => [trouble.kind, arangojs8, arangojs10, curl]),
    );
  });
});
