import type { Entries } from '../listing/lists.js';

/** Remembers the results for a few frozen lists. */
export interface ListMemory<T> {
  /** The result for this very list, if it is remembered. */
  get(list: unknown): T | undefined;
  /** Remembers the result for a list that {@link get} does not know yet, if that list can never change. */
  set(list: unknown, made: T): void;
}

/** More lists than a host application alternates between: one for each network that it serves, for example. */
const REMEMBERED_LISTS = 8;

/** Creates the memory for the last few frozen lists. It holds them weakly. */
export function createListMemory<T>(): ListMemory<T> {
  const memory = new WeakMap<object, T>();
  const lists: WeakRef<object>[] = [];

  return {
    get: (list) => memory.get(list as object),
    set(list, made) {
      if (!isImmutable(list)) return;
      lists.push(new WeakRef(list));
      memory.set(list, made);
      for (const reference of lists.splice(0, lists.length - REMEMBERED_LISTS)) {
        const oldest: unknown = reference.deref();
        memory.delete(oldest as object);
      }
    },
  };
}

/** Whether a list can never change: `Object.freeze` alone does not stop a getter from returning another value. */
function isImmutable(list: unknown): list is Entries {
  if (!Array.isArray(list) || !Object.isFrozen(list)) return false;
  for (let index = 0; index < list.length; index += 1) {
    if (Object.getOwnPropertyDescriptor(list, index)?.writable === undefined) return false;
  }
  return true;
}
