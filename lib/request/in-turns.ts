/** These take a few ms, for which the event loop is held. */
const AT_A_TIME = 500;

/** What is made of each item: of a long list in several turns of the event loop, so that no request waits for all of it. */
export async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length % AT_A_TIME === AT_A_TIME - 1) await anotherTurn();
    made.push(make(item));
  }
  return made;
}

/** `node:timers/promises` has the same; it takes time to load. */
export function anotherTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
