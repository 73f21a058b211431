import * as fc from 'fast-check';

/** One byte put in, put in the place of another, or taken out. */
interface Damage {
  readonly at: number;
  readonly taken: number;
  readonly put: string;
}

/** A place in some bytes, whatever their length. */
export const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fraction,
  taken: fc.nat({ max: 1 }),
  put: fc.oneof(fc.constantFrom('', '\r', '\n', '\0', ' ', '/', '%', ':', '\xff'), fc.string({ maxLength: 1 })),
});

/** What may happen to bytes on their way: mostly nothing. */
export const damages: fc.Arbitrary<Damage[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Damage[]>([]) },
  { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
);

/** Some bytes once they have taken damage. */
export function damaged(bytes: string, { at, taken, put }: Damage): string {
  const index = Math.floor(at * bytes.length);
  return bytes.slice(0, index) + put + bytes.slice(index + taken);
}

/** The packets that some bytes become when they are cut at some places. */
export function cut(bytes: string, fractions: readonly number[]): string[] {
  const places = fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.slice(place, places[index])).filter((packet) => packet !== '');
}
