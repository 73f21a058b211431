/** Random choices that a seed repeats (mulberry32: a short generator is enough, and Node has none that takes a seed). */
export interface Seeded {
  /** From 0 up to, without, 1. */
  next(): number;
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}
