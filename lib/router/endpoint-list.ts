import { inspect } from 'node:util';
import { withoutUserInfo } from '../text/shown.js';

/** Entries of a provider's list that are still unread: strings, if all is well. */
export type EndpointList = readonly unknown[];

/** A list without end would never let the process go on. */
const MAX_ENTRIES = 100_000;

/**
 * A copy of what a provider gave, as an array.
 *
 * @throws `TypeError` when it is not a list; whatever its iterator throws; `RangeError` over 100,000 entries.
 */
export function copyOf(given: unknown): EndpointList {
  const list: unknown[] = [];
  for (const entry of iterable(given)) {
    if (list.length === MAX_ENTRIES)
      throw new RangeError(`the provider gave more than ${String(MAX_ENTRIES)} endpoints`);
    list.push(entry);
  }
  return list;
}

/** A string is iterable too, and so is a Map; nobody means their characters or pairs. */
function iterable(given: unknown): Iterable<unknown> {
  if (typeof given === 'object' && given !== null && !(given instanceof Map) && isIterable(given)) return given;
  const shown = typeof given === 'string' ? withoutUserInfo(given) : given;
  throw new TypeError(`the provider gave ${inspect(shown, { depth: 0, maxStringLength: 100 })}, not a list of strings`);
}

function isIterable(given: object): given is Iterable<unknown> {
  return typeof (given as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
}

export function isSameList(list: EndpointList, other: EndpointList): boolean {
  if (list.length !== other.length) return false;
  for (let index = 0; index < list.length; index += 1) {
    if (list[index] !== other[index]) return false;
  }
  return true;
}
