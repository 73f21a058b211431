import { DRIVERS, KINDS } from '../../../lib/drivers/rules.js';
import { observeArangojs } from './observe-arangojs.js';

/** No arangojs skips an entry, so it never has none left. */
const known = KINDS.filter(({ kind }) => kind !== 'none-left');

/** What arangojs 6 to 8 do on a Node before 26, whose `url.parse` accepts more. */
const onOlderNode = (kind: string, first: string): string | undefined =>
  kind === 'ipv6-bare' && Number(first.split('.')[0]) < 9 && Number(process.versions.node.split('.')[0]) < 26
    ? 'u'
    : undefined;

/** Lets an arangojs meet an answer of each kind, and expects what the rules say of its versions. */
export async function expectColumnOfArangojs(first: string, driver: string, socketFile: string): Promise<void> {
  const column = DRIVERS.findIndex((known) => known.driver === 'arangojs' && known.versions[0] === first);
  const kinds = known.map(({ kind }) => kind);
  const seen = await observeArangojs(driver, kinds, socketFile);
  expect(kinds.map((kind, index) => [kind, seen[index]])).toEqual(
    known.map(({ kind, outcomes }) => [kind, onOlderNode(kind, first) ?? outcomes[column]]),
  );
}
