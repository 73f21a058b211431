import type { HeldList } from '../directory/held-list.js';
import { CountCheck } from './count-check.js';
import { pause, withDeadline } from './deadline.js';
import type { Gateway } from './gateway.js';
import type { Keys } from './keys.js';
import type { EtcdSettings } from './options.js';
import { countKeys, readAll } from './range.js';
import { watch, type WatchMessage } from './watch.js';

/** What a session works with. */
export interface SessionParts {
  readonly gateway: Gateway;
  readonly keys: Keys;
  readonly settings: EtcdSettings;
  readonly list: HeldList;
  /** Told after each list and each change: the state of the store, and whether it has a key. */
  readonly onKeys: (revision: bigint, has: (key: string) => boolean) => void;
  /** Told when the list has become right. */
  readonly onLive: () => void;
}

/**
 * Keeps the list in step with one host: reads all entries, watches from there on, and probes.
 *
 * Resolves when it is time to read all entries again, or when the signal aborts.
 *
 * @throws GatewayError when the list can no longer be relied on.
 */
export async function followHost(parts: SessionParts, host: string, closing: AbortSignal): Promise<void> {
  const { gateway, keys, settings, list, onKeys, onLive } = parts;
  const session = new AbortController();
  const { signal } = session;
  const end = (): void => {
    session.abort(closing.reason);
  };
  closing.addEventListener('abort', end);
  try {
    const askedAt = performance.now();
    const { revision, entries } = await readAll(gateway, host, keys, signal);
    const messages = watch(gateway, host, keys, revision + 1n, signal);
    const first = await withDeadline(settings.requestTimeoutMs, signal, () => messages.next());

    const check = new CountCheck(revision, (confirmedAt) => {
      list.confirm(confirmedAt);
    });
    const has = (key: string): boolean => entries.has(key);
    list.relist(entries.values());
    onKeys(revision, has);
    list.confirm(askedAt);
    onLive();

    const apply = (changes: WatchMessage): void => {
      for (const { key, deleted, revision } of changes) {
        check.change(revision, entries.size);
        if (deleted) entries.delete(key);
        else entries.set(key, keys.entry(key));
      }
      if (changes.length === 0) return;
      list.update(entries.values(), changes.length);
      onKeys(check.reached, has);
    };
    const watching = async (): Promise<never> => {
      apply(first.value);
      for (;;) apply((await messages.next()).value);
    };
    const probing = async (): Promise<never> => {
      // Counted from one question to the next: what is asked for is at most an interval and a time limit old, not more.
      for (let sentAt = askedAt; ;) {
        await pause(sentAt + settings.probeIntervalMs - performance.now(), signal);
        const { reached } = check;
        sentAt = performance.now();
        const counted = await countKeys(gateway, host, keys, signal);
        check.probe({ ...counted, askedAt: sentAt }, reached, entries.size);
      }
    };
    await Promise.race([watching(), probing(), pause(settings.relistIntervalMs, signal)]);
  } catch (error) {
    throw gateway.failure(host, error);
  } finally {
    closing.removeEventListener('abort', end);
    session.abort();
  }
}
