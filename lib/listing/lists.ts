import { inspect } from 'node:util';
import { withoutCredentials } from '../text/shown.js';

/** The unread entries of a provider's list: strings, unless the provider is wrong. */
export type Entries = readonly unknown[];

/** An endless list would block the process. */
const MAX_ENTRIES = 100_000;

/**
 * Copies a provider's list into an array.
 *
 * @param giver - For messages.
 * @throws `TypeError` if it is not a list; whatever its iterator throws; `RangeError` over 100,000 entries.
 */
export function copyOf(given: unknown, giver = 'the provider'): Entries {
  const list: unknown[] = [];
  for (const entry of iterable(given, giver)) {
    if (list.length === MAX_ENTRIES) throw new RangeError(`${giver} gave more than ${String(MAX_ENTRIES)} endpoints`);
    list.push(entry);
  }
  return list;
}

/** A string and a Map are iterable too, but their characters or pairs are never meant. */
function iterable(given: unknown, giver: string): Iterable<unknown> {
  // As they are compared: by index, whatever iterator an array may have of its own.
  if (Array.isArray(given)) return Array.prototype.values.call(given);
  if (typeof given === 'object' && given !== null && !(given instanceof Map) && isIterable(given)) return given;
  const shown = typeof given === 'string' ? withoutCredentials(given) : given;
  throw new TypeError(`${giver} gave ${inspect(shown, { depth: 0, maxStringLength: 100 })}, not a list of strings`);
}

function isIterable(given: object): given is Iterable<unknown> {
  return typeof (given as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
}

/** Whether two lists have the same entries in the same order. */
export function isSameList(list: Entries, other: Entries): boolean {
  if (list === other) return true;
  if (list.length !== other.length) return false;
  for (let index = 0; index < list.length; index += 1) {
    if (list[index] !== other[index]) return false;
  }
  return true;
}

/** A registered symbol, so that lists pass between the ESM and the CommonJS copy of this package. */
const SKIPPED = Symbol.for('express-endpoint-listing.skipped');
const NONE: readonly Error[] = Object.freeze([]);

/**
 * A frozen copy of a list, with the reasons why its source skipped other entries: the router reports them to `onError` together with those
 * that it skips itself. A provider returns such a list if it derives it from another one, for example by translation.
 */
export function withSkipped(endpoints: readonly string[], refusals: readonly Error[]): readonly string[] {
  return Object.freeze(Object.defineProperty([...endpoints], SKIPPED, { value: Object.freeze([...refusals]) }));
}

/** Why the source of a list skipped entries. */
export function skippedIn(list: object): readonly Error[] {
  return (list as { readonly [SKIPPED]?: readonly Error[] })[SKIPPED] ?? NONE;
}
