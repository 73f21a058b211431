import { pause } from './deadline.js';
import type { GatewayError } from './gateway-error.js';
import { Pace } from './pace.js';
import { followHost, type SessionParts } from './session.js';

/**
 * Follows etcd until the signal aborts, one host at a time: whatever ends a session, the next one reads all entries again.
 * Never rejects.
 *
 * @param onFailure Told each time that the list can no longer be relied on, or still not.
 */
export async function follow(
  parts: SessionParts,
  onFailure: (error: GatewayError) => void,
  signal: AbortSignal,
): Promise<void> {
  const { hosts, retry } = parts.settings;
  const pace = new Pace(hosts.length, retry);
  const turns = inTurn(hosts);
  let host = turns.next().value;
  for (;;) {
    let liveSince = Infinity;
    const onLive = (): void => {
      liveSince = performance.now();
      parts.onLive();
    };
    try {
      await followHost({ ...parts, onLive }, host, signal);
      if (signal.aborted) return;
    } catch (error) {
      if (signal.aborted) return;
      // It throws nothing else.
      onFailure(error as GatewayError);
      host = turns.next().value;
      // A session that breaks as soon as it stands is no success, or all entries would be read in a loop.
      if (performance.now() - liveSince > retry.maxMs) pace.reset();
      await pause(pace.failed(), signal);
    }
  }
}

function* inTurn(hosts: readonly string[]): Generator<string, never> {
  for (;;) yield* hosts;
}
