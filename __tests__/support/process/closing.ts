/** For one test file: what it gives is closed after each test, the last first. */
export function useClosing(): <T extends { close(): Promise<unknown> }>(thing: T) => T {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close();
  });
  return (thing) => {
    open.push(thing);
    return thing;
  };
}
