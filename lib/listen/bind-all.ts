import type { Server } from 'node:http';
import { bind, type Bound } from './bind.js';
import { closeAll } from './close.js';
import type { Target } from './targets.js';

/**
 * Binds every target, in one turn of the event loop, or none.
 *
 * @throws {@link ListenError} for the first target that cannot be bound, after the others are closed again.
 */
export async function bindAll(
  targets: readonly Target[],
  createServer: (scheme: Target['endpoint']['scheme']) => Server,
): Promise<Bound[]> {
  const outcomes = await Promise.allSettled(
    targets.map((target) => bind(createServer(target.endpoint.scheme), target)),
  );
  const bound = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    await closeAll(bound, 0);
    throw failure.reason;
  }
  return bound;
}
