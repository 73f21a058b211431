/** How often something has been made since the counting began. */
export interface Constructions {
  count: number;
  stop(): void;
}

/** Counts how often a global class is constructed, by whatever code of the test's realm. */
export function countConstructions(name: 'AbortController' | 'Error' | 'URL'): Constructions {
  const original = Reflect.get(globalThis, name) as new (...parts: unknown[]) => object;
  const constructions: Constructions = {
    count: 0,
    stop: () => Reflect.set(globalThis, name, original),
  };
  const counted = new Proxy(original, {
    construct(target, parts, newTarget) {
      constructions.count += 1;
      return Reflect.construct(target, parts, newTarget) as object;
    },
  });
  Reflect.set(globalThis, name, counted);
  return constructions;
}
