import type { Variant } from './variant.js';

/** What one request cost, in microseconds. */
export interface Cost {
  /** By the clock: a process that does nothing else answers 1 / time requests per second. */
  readonly time: number;
  /** By the processor, with garbage collection and compilation on other threads. */
  readonly cpu: number;
}

/** What one variant cost, round by round. */
export interface Course {
  readonly variant: Variant;
  readonly rounds: readonly Cost[];
}

/** Measures all in turns, A B C, C B A, A B C, ...: whatever slows the machine down for a while hits all of them alike. */
export async function inTurns<T extends { readonly variant: Variant }>(
  all: readonly T[],
  rounds: number,
  measure: (one: T) => Promise<Cost>,
): Promise<Course[]> {
  const courses = all.map((one) => ({ one, variant: one.variant, rounds: [] as Cost[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const course of courses) course.rounds.push(await measure(course.one));
    courses.reverse();
  }
  return courses.map(({ variant, rounds: costs }) => ({ variant, rounds: costs }));
}

/** The rounds of several passes over the same variants, one pass behind the other. */
export function joined(passes: readonly (readonly Course[])[]): Course[] {
  const [first = []] = passes;
  return first.map(({ variant }) => ({
    variant,
    rounds: passes.flatMap((courses) => courses.find((course) => course.variant === variant)?.rounds ?? []),
  }));
}

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
