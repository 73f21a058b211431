import { fields, int64, list, revisionOf, text } from './answers.js';
import type { Gateway } from './gateway.js';
import type { Keys } from './keys.js';

/** All entries at one state of the store: what stands behind the prefix, by key. */
export interface Snapshot {
  readonly revision: bigint;
  readonly entries: Map<string, string>;
}

/** The number of keys at one state of the store. */
export interface KeyCount {
  readonly revision: bigint;
  readonly count: number;
}

/** Reads all entries. Linearizable, so it fails on a host that has no majority. */
export function readAll(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<Snapshot> {
  const body = { ...keys.range, keys_only: true };
  return gateway.ask(
    host,
    '/v3/kv/range',
    body,
    (answer) => ({
      revision: revisionOf(answer),
      entries: new Map(
        list(answer, 'kvs')
          .map((kv) => text(fields(kv, 'kvs'), 'key'))
          .map((key) => [key, keys.entry(key)]),
      ),
    }),
    signal,
  );
}

/** Counts the keys: the cheapest question that only a host with a majority can answer. */
export function countKeys(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<KeyCount> {
  return gateway.ask(
    host,
    '/v3/kv/range',
    { ...keys.range, count_only: true },
    (answer) => ({ revision: revisionOf(answer), count: Number(int64(answer, 'count')) }),
    signal,
  );
}
