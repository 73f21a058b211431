import type { HeldList } from '../directory/held-list.js';
import { onAbort, pause, within } from '../request/deadline.js';
import type { Gateway } from './json-gateway.js';
import type { HeldKeys } from './held-keys.js';
import { type Fingerprint, type Keys, readAll, readFingerprint, readState } from './keys.js';
import type { StoreState } from './answer-fields.js';
import type { EtcdSettings } from './options.js';
import { watch, type WatchMessage } from './watch.js';
import type { GatewayError } from './errors.js';

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
  #failures = 0;

  constructor(
    private readonly hosts: number,
    private readonly retry: EtcdSettings['retry'],
  ) {}

  /** The ms to wait after a failed attempt. */
  next(): number {
    this.#failures += 1;
    const rounds = Math.floor(this.#failures / this.hosts);
    if (this.#failures % this.hosts !== 0) return 0;
    const { minMs, maxMs } = this.retry;
    const step = Math.min(maxMs, minMs * 2 ** (rounds - 1));
    // Jitter, so that many Coordinators do not come back at once; below the step, so that they reach a recovered etcd within `maxMs`.
    return step * (0.45 + Math.random() * 0.45);
  }

  /** Resets the wait after a success. */
  reset(): void {
    this.#failures = 0;
  }
}

/** The parts needed to follow a host. */
export interface FollowParts {
  readonly gateway: Gateway;
  readonly keys: Keys;
  readonly settings: EtcdSettings;
  readonly held: HeldKeys;
  readonly list: HeldList;
  /** Called when the list is confirmed. */
  readonly onLive: () => void;
}

/**
 * Keeps the list in sync with one host: reads all keys, watches them from then on, and probes.
 *
 * Resolves when it is time to read all keys again, or when the signal aborts.
 *
 * @throws GatewayError when the list is no longer reliable.
 */
export async function followHost(parts: FollowParts, host: string, closing: AbortSignal): Promise<void> {
  const { gateway, keys, settings, held, list, onLive } = parts;
  const following = new AbortController();
  const { signal } = following;
  const release = onAbort(closing, () => following.abort(closing.reason));
  try {
    const askedAt = performance.now();
    const snapshot = await readAll(gateway, host, keys, signal);
    const messages = watch(parts, host, snapshot.revision + 1n, signal);
    const first = await within(settings.requestTimeoutMs, signal, () => messages.next());
    signal.throwIfAborted();

    held.reset(snapshot);
    list.confirm(askedAt);
    onLive();

    const check = new WatchCheck(held, (confirmedAt) => list.confirm(confirmedAt));
    const watching = async (): Promise<never> => {
      for (let message: WatchMessage = first.value; ; message = (await messages.next()).value) {
        // One chunk may contain several messages, and following may end between them.
        signal.throwIfAborted();
        held.apply(message, (revision) => check.beforeChange(revision));
      }
    };
    const probing = async (): Promise<never> => {
      // From request to request: a confirmation is at most one interval and one time limit old.
      for (let sentAt = askedAt; ;) {
        await pause(sentAt + settings.probeIntervalMs - performance.now(), signal);
        const { revision: reached } = held;
        sentAt = performance.now();
        const state = await readState(gateway, host, keys, signal);
        signal.throwIfAborted();
        if (check.isUnchanged(state, reached, sentAt)) continue;
        const probe = await readFingerprint(gateway, host, keys, signal);
        signal.throwIfAborted();
        check.compare({ ...probe, askedAt: sentAt }, reached);
      }
    };
    await Promise.race([watching(), probing(), pause(settings.relistIntervalMs, signal)]);
  } catch (error) {
    throw gateway.failure(host, error);
  } finally {
    release();
    following.abort();
  }
}

type Probe = Fingerprint & StoreState & { readonly askedAt: number };

/**
 * Detects changes that the watch has missed, by comparing the fingerprint of the watched keys with the one from a probe.
 *
 * Watch and probe use two connections, so fingerprints are compared at the same revision: at once if the watch has reached it, otherwise when
 * the watch brings the first later change, at the latest with the next probe.
 */
export class WatchCheck {
  /** The revision up to which the watch has missed nothing. */
  #verified: bigint;
  /** A probe that differs, at a revision that the watch may not have reached. */
  #open: Probe | undefined;

  /**
   * @param held - As complete as etcd is now.
   * @param confirm - Called for each probe that confirms the list, with the time when it was sent.
   */
  constructor(
    private readonly held: HeldKeys,
    private readonly confirm: (askedAt: number) => void,
  ) {
    this.#verified = held.revision;
  }

  /** Takes a change from the watch. @throws Error if it has missed an earlier one. */
  beforeChange(revision: bigint): void {
    if (this.#open && revision > this.#open.revision) this.#settle(this.#open);
  }

  /**
   * Whether the revision alone proves that nothing has changed.
   *
   * @param reachedThen - The revision of the watch when the probe was sent: a linearizable response is at least as new.
   * @throws Error if the store is older: its data were lost or restored.
   */
  isUnchanged({ revision }: StoreState, reachedThen: bigint, askedAt: number): boolean {
    this.#refuseOlder(revision, reachedThen);
    if (revision !== this.#verified) return false;
    this.confirm(askedAt);
    return true;
  }

  /** Takes the fingerprint from a probe. @throws Error if a change was missed, and as {@link isUnchanged} does. */
  compare(probe: Probe, reachedThen: bigint): void {
    this.#refuseOlder(probe.revision, reachedThen);
    if (this.#open) this.#settle(this.#open);
    const ahead = this.held.revision > probe.revision;
    // If the watch is ahead of the probe, the response only proves the majority.
    if (!ahead && !this.#isSame(probe)) {
      this.#open = probe;
      return;
    }
    if (!ahead) this.#verified = probe.revision;
    this.confirm(probe.askedAt);
  }

  #settle(probe: Probe): void {
    this.#open = undefined;
    if (!this.#isSame(probe)) throw new Error(`watch missed a change: ${difference(this.held.fingerprint, probe)}`);
    this.confirm(probe.askedAt);
  }

  #isSame({ count, newest }: Fingerprint): boolean {
    const held = this.held.fingerprint;
    return held.count === count && held.newest === newest;
  }

  #refuseOlder(revision: bigint, reachedThen: bigint): void {
    if (revision >= reachedThen) return;
    throw new Error(`etcd's revision went backwards from ${String(reachedThen)} to ${String(revision)}`);
  }
}

function difference(held: Fingerprint, etcd: Fingerprint): string {
  if (held.count !== etcd.count) return `${String(held.count)} keys held, etcd has ${String(etcd.count)}`;
  return `the newest key held is of revision ${String(held.newest)}, that of etcd of ${String(etcd.newest)}`;
}
