import { versionsOf } from '../../../lib/drivers/driver-checks.js';
import { DRIVERS, KINDS, OUTCOMES, type DriverVersions, type Outcome } from '../../../lib/drivers/rules.js';

/** The cells of a table, row by row. */
export type Table = readonly (readonly string[])[];

const headingOf = (driver: DriverVersions): string => `${driver.driver} ${versionsOf(driver)}`;

/** What drivers make of each kind of answer, as docs/drivers.md has it: one column for each of some drivers. */
export function kindsTable(names: readonly string[]): Table {
  const columns = [...DRIVERS.entries()].filter(([, { driver }]) => names.includes(driver));
  return [
    ['answer', ...columns.map(([, driver]) => headingOf(driver))],
    ...KINDS.map(({ words, outcomes }) => [
      words,
      ...columns.map(([index, { evidence }]) => {
        const letter = String(outcomes[index]);
        if (letter === '?') return 'not known';
        const outcome = letter.toLowerCase() as Outcome;
        return `${OUTCOMES[outcome].words}, ${letter === outcome ? evidence : 'read'}`;
      }),
    ]),
  ];
}

/** Where the rules come from. */
export function sourcesTable(): Table {
  return [
    ['driver', 'listing', 'shown by'],
    ...DRIVERS.map((driver) => [
      headingOf(driver),
      driver.listing,
      `${driver.evidence === 'run' ? 'a run of' : 'the source,'} ${driver.source}`,
    ]),
  ];
}

/** The tables of a page, cell by cell. */
export function tablesOf(page: string): Table[] {
  return page
    .split(/\n(?!\|)/)
    .map((block) => block.trim())
    .filter((block) => block.startsWith('|'))
    .map((block) =>
      block
        .split('\n')
        .filter((line) => !/^\|[-| ]+\|$/.test(line))
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ),
    );
}
