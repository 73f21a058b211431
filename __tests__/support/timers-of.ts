import { createHook } from 'node:async_hooks';

/** Counts the timers that code of one folder of `lib` has set and that have neither run nor been cleared. Call `stop` in the end. */
export function timersOf(folder: string): { readonly pending: () => number; readonly stop: () => void } {
  const timers = new Set<number>();
  const hook = createHook({
    init: (id, type) => {
      if (type === 'Timeout' && new Error().stack?.includes(`/lib/${folder}/`)) timers.add(id);
    },
    destroy: (id) => timers.delete(id),
  }).enable();
  return { pending: () => timers.size, stop: () => hook.disable() };
}
