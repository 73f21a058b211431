declare const IS_LONG_RUN: boolean;
/** Of the router's tests only. */
declare const SERVER_KIND: 'plain' | 'app-server' | undefined;

// What is tried at random does not depend on how a server makes its requests: one of the two kinds is enough for all of it.
const isEnough = !IS_LONG_RUN || (typeof SERVER_KIND !== 'undefined' && SERVER_KIND === 'app-server');

/** How often fast-check tries a property: `fc.assert(property, PROPERTY_RUNS)`. */
export const PROPERTY_RUNS = { numRuns: isEnough ? 100 : 1_000 };

/** Every case in the long run; in the quick one `count` of them, evenly spread, the first and the last among them. */
export function sampled<T>(cases: readonly T[], count: number): T[] {
  if (IS_LONG_RUN || cases.length <= count) return [...cases];
  const step = (cases.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => cases[Math.round(index * step)] as T);
}
