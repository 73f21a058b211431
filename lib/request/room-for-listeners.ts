import { EventEmitter, getMaxListeners, setMaxListeners } from 'node:events';

/**
 * Makes a place of our own among the listeners of an emitter or a signal, or gives it back: however many of ours wait for one
 * source are no leak, and what is one still makes Node warn. Of an emitter of another kind nothing is known.
 */
export function makeRoom(source: object, places: 1 | -1): void {
  if (!(source instanceof EventEmitter || source instanceof EventTarget)) return;
  const limit = getMaxListeners(source);
  if (limit > 0) setMaxListeners(limit + places, source);
}
