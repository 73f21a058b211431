import { setImmediate as turn } from 'node:timers/promises';

/** So many items take a few ms, for which the event loop is held. */
const AT_A_TIME = 500;

/** What is made of each item: of a long list in several turns of the event loop, so that it holds up nobody. */
export async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length % AT_A_TIME === AT_A_TIME - 1) await turn();
    made.push(make(item));
  }
  return made;
}
