import type { Entries } from '../listing/lists.js';

/** More lists than a host application alternates between: one for each network that it serves, for example. */
const REMEMBERED_LISTS = 8;

/** Remembers the results for the last few frozen lists, which it holds weakly. */
export class ListCache<T> {
  readonly #results = new WeakMap<object, T>();
  readonly #lists: WeakRef<object>[] = [];

  /** The result for this very list, if it is remembered. */
  get(list: unknown): T | undefined {
    return this.#results.get(list as object);
  }

  /** Remembers the result for a list that {@link get} does not know yet, if that list can never change. */
  set(list: unknown, made: T): void {
    if (!isImmutable(list)) return;
    this.#lists.push(new WeakRef(list));
    this.#results.set(list, made);
    for (const reference of this.#lists.splice(0, this.#lists.length - REMEMBERED_LISTS)) {
      const oldest: unknown = reference.deref();
      this.#results.delete(oldest as object);
    }
  }
}

/** Whether a list can never change: `Object.freeze` alone does not stop a getter from returning another value. */
function isImmutable(list: unknown): list is Entries {
  if (!Array.isArray(list) || !Object.isFrozen(list)) return false;
  for (let index = 0; index < list.length; index += 1) {
    if (Object.getOwnPropertyDescriptor(list, index)?.writable === undefined) return false;
  }
  return true;
}
