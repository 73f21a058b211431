/** Runs `work` on every item, on at most `lanes` of them at a time. */
export async function eachInLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
