import { inTurns } from '../request/in-turns.js';
import { listed, readerOf, type Listed } from './listed.js';
import { copyOf } from './lists.js';

/** As `listed`, in several turns of the event loop: for the page and the metrics, which may take their time. */
export async function listedInTurns(listing: 'cluster' | 'server', given: unknown): Promise<Listed> {
  const entries = copyOf(given);
  return listed(listing, given, entries, await inTurns(entries, readerOf(listing)));
}
