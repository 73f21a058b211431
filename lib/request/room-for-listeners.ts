import { EventEmitter, getMaxListeners, setMaxListeners } from 'node:events';

/**
 * Raises the listener limit of an emitter or a signal by one, or lowers it again: many listeners of ours on one source are not a leak, and
 * Node still warns of real ones. Does nothing for other kinds of emitters.
 */
export function makeRoom(source: object, places: 1 | -1): void {
  if (!(source instanceof EventEmitter || source instanceof EventTarget)) return;
  const limit = getMaxListeners(source);
  if (limit > 0) setMaxListeners(limit + places, source);
}
