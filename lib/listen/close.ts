import type { Bound } from './bind.js';

/**
 * Closes servers: they take no more connections, connections without a running request end at once, the others as soon as
 * their answer is out, and after `timeout` ms in any case.
 */
export async function closeAll(listening: readonly Bound[], timeout: number): Promise<void> {
  const closed = listening.map(
    ({ connections, close }) =>
      new Promise<void>((resolve) => {
        connections.drain();
        close(resolve);
      }),
  );
  const cut = (): void => {
    for (const { connections } of listening) connections.destroy();
  };
  // Infinity is no delay that a timer could have.
  const limit = timeout === Infinity ? undefined : setTimeout(cut, timeout);
  await Promise.all(closed);
  clearTimeout(limit);
}
