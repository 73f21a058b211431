import { pause } from '../request/deadline.js';
import type { GatewayError } from './errors.js';
import { followHost, type FollowParts } from './follow-host.js';

/**
 * Follows etcd until the signal aborts, one host at a time. Each new host reads all keys again. Never rejects.
 *
 * @param onFailure - Called each time that the list is not, or still not, reliable.
 */
export async function follow(
  parts: FollowParts,
  onFailure: (error: GatewayError) => void,
  signal: AbortSignal,
): Promise<void> {
  const { hosts, retry } = parts.settings;
  const backoff = new Backoff(hosts.length, retry);
  const turns = inTurn(hosts);
  let host = turns.next().value;
  let liveSince = Infinity;
  const onLive = (): void => {
    liveSince = performance.now();
    parts.onLive();
  };
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      await followHost({ ...parts, onLive }, host, signal);
    } catch (error) {
      if (isOver()) return;
      // It throws nothing else.
      onFailure(error as GatewayError);
      host = turns.next().value;
      // A host that is lost as soon as the list is live does not count as success, or all keys would be read in a loop.
      if (performance.now() - liveSince > retry.maxMs) backoff.reset();
      liveSince = Infinity;
      await pause(backoff.next(), signal);
    }
  }
}

function* inTurn(hosts: readonly string[]): Generator<string, never> {
  for (;;) yield* hosts;
}

/** Backoff: none for a host not yet tried, then waits that double from `minMs` to `maxMs`. */
export class Backoff {
  readonly #hosts: number;
  readonly #minMs: number;
  readonly #maxMs: number;
  #failures = 0;

  constructor(hosts: number, { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) {
    this.#hosts = hosts;
    this.#minMs = minMs;
    this.#maxMs = maxMs;
  }

  /** The ms to wait after a failed attempt. */
  next(): number {
    this.#failures += 1;
    const rounds = Math.floor(this.#failures / this.#hosts);
    if (this.#failures % this.#hosts !== 0) return 0;
    const step = Math.min(this.#maxMs, this.#minMs * 2 ** (rounds - 1));
    // Jitter, so that many Coordinators do not come back at once; below the step, so that they reach a recovered etcd within `maxMs`.
    return step * (0.45 + Math.random() * 0.45);
  }

  /** Resets the wait after a success. */
  reset(): void {
    this.#failures = 0;
  }
}
