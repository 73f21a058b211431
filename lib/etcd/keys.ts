import { fields, type Fields, int64, listField, stateOf, type StoreState, textField } from './answer-fields.js';
import type { Call, Gateway } from './json-gateway.js';

/** A key as it stands in etcd. */
export interface StoredKey {
  /** What follows the prefix: an endpoint, or whatever somebody else has put there. */
  readonly entry: string;
  /** The lease in decimal; `0` for none. */
  readonly lease: string;
  /** The revision of the store that last put it. */
  readonly revision: bigint;
}

/** All keys at one state of the store. */
export interface Snapshot extends StoreState {
  readonly keys: Map<string, StoredKey>;
}

/** Where the endpoints stand in etcd: under a prefix, each in a key of its own. JSON carries keys as base64. */
export class Keys {
  readonly #prefix: string;
  /** `key` and `range_end` of a request for all keys. */
  readonly range: { readonly key: string; readonly range_end: string };

  constructor(prefix: string) {
    this.#prefix = prefix;
    const end = Buffer.from(prefix);
    // The first text behind all that begin with the prefix. UTF-8 has no byte 255, so there is always a next one.
    end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
    this.range = { key: Buffer.from(prefix).toString('base64'), range_end: end.toString('base64') };
  }

  /** The key of an endpoint. It makes a restart within the lease's time keep one entry. */
  of(endpoint: string): string {
    return Buffer.from(this.#prefix + endpoint).toString('base64');
  }

  /** A key in an answer: its name, and how it stands. */
  read(kv: Fields): [name: string, key: StoredKey] {
    const name = textField(kv, 'key');
    const entry = Buffer.from(name, 'base64').subarray(Buffer.byteLength(this.#prefix)).toString();
    return [name, { entry, lease: String(int64(kv, 'lease')), revision: int64(kv, 'mod_revision') }];
  }
}

const range = (body: object): Call => ({ path: '/v3/kv/range', body });

/** Reads all keys. Linearizable, so it fails on a host that has no majority. */
export function readAll(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<Snapshot> {
  const read = (answer: Fields): Snapshot => ({
    ...stateOf(answer),
    keys: new Map(listField(answer, 'kvs').map((kv) => keys.read(fields(kv, 'kvs')))),
  });
  return gateway.ask(host, range({ ...keys.range, keys_only: true }), read, signal);
}

/** The state of the store, by the cheapest request that only a host with a majority can answer: it counts the keys. */
export function readState(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<StoreState> {
  return gateway.ask(host, range({ ...keys.range, count_only: true }), stateOf, signal);
}

/**
 * What changes with every change of the keys: a put makes another key the newest, and of deletions alone the number of keys
 * shrinks.
 */
export interface Fingerprint {
  readonly count: number;
  /** The revision of the key that was put last; 0 without keys. */
  readonly newest: bigint;
}

/** Reads the fingerprint of the keys. etcd looks at each key for it, but sends one. */
export function readFingerprint(
  gateway: Gateway,
  host: string,
  keys: Keys,
  signal: AbortSignal,
): Promise<Fingerprint & StoreState> {
  const newestKey = { ...keys.range, keys_only: true, limit: '1', sort_target: 'MOD', sort_order: 'DESCEND' };
  const read = (answer: Fields): Fingerprint & StoreState => {
    const [first] = listField(answer, 'kvs');
    return {
      ...stateOf(answer),
      count: Number(int64(answer, 'count')),
      newest: first === undefined ? 0n : int64(fields(first, 'kvs'), 'mod_revision'),
    };
  };
  return gateway.ask(host, range(newestKey), read, signal);
}
