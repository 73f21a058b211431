declare const IS_LONG_RUN: boolean;

/** How often fast-check tries a property: `fc.assert(property, PROPERTY_RUNS)`. */
export const PROPERTY_RUNS = { numRuns: IS_LONG_RUN ? 1_000 : 100 };

/** Every case in the long run; in the quick one `count` of them, evenly spread, the first and the last among them. */
export function sampled<T>(cases: readonly T[], count: number): T[] {
  if (IS_LONG_RUN || cases.length <= count) return [...cases];
  const step = (cases.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as T);
}
