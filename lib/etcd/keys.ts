import { fields, type Fields, int64, listField, stateOf, type StoreState, textField } from './answer-fields.js';
import type { Call, Gateway } from './json-gateway.js';

/** A key in etcd. */
export interface StoredKey {
  /** The part after the prefix: an endpoint, or something else that another program has put there. */
  readonly entry: string;
  /** The lease in decimal; `0` for none. */
  readonly lease: string;
  /** The revision of the store that last put it. */
  readonly revision: bigint;
}

/** All keys at one revision. */
export interface Snapshot extends StoreState {
  readonly keys: Map<string, StoredKey>;
}

/** The keys of the endpoints in etcd, one each, below a prefix. JSON carries keys as base64. */
export class Keys {
  readonly #prefix: string;
  /** `key` and `range_end` of a request for all keys. */
  readonly range: { readonly key: string; readonly range_end: string };

  constructor(prefix: string) {
    this.#prefix = prefix;
    const end = Buffer.from(prefix);
    // The first text after all that begin with the prefix. UTF-8 has no byte 255, so there always is one.
    end.writeUInt8(end.readUInt8(end.length - 1) + 1, end.length - 1);
    this.range = { key: Buffer.from(prefix).toString('base64'), range_end: end.toString('base64') };
  }

  /** The key of an endpoint, so that a restart within the lease keeps one entry. */
  of(endpoint: string): string {
    return Buffer.from(this.#prefix + endpoint).toString('base64');
  }

  /** A key in a response. */
  read(kv: Fields): [name: string, key: StoredKey] {
    const name = textField(kv, 'key');
    const entry = Buffer.from(name, 'base64').subarray(Buffer.byteLength(this.#prefix)).toString();
    return [name, { entry, lease: String(int64(kv, 'lease')), revision: int64(kv, 'mod_revision') }];
  }
}

const range = (body: object): Call => ({ path: '/v3/kv/range', body });

/** Reads all keys. Linearizable, so it fails on a host without a majority. */
export function readAll(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<Snapshot> {
  const read = (answer: Fields): Snapshot => ({
    ...stateOf(answer),
    keys: new Map(listField(answer, 'kvs').map((kv) => keys.read(fields(kv, 'kvs')))),
  });
  return gateway.ask(host, range({ ...keys.range, keys_only: true }), read, signal);
}

/** The revision, by the cheapest request that needs a majority: it counts the keys. */
export function readState(gateway: Gateway, host: string, keys: Keys, signal: AbortSignal): Promise<StoreState> {
  return gateway.ask(host, range({ ...keys.range, count_only: true }), stateOf, signal);
}

/**
 * A fingerprint that changes with every change of the keys: a put makes another key the newest, and a deletion reduces their number.
 */
export interface Fingerprint {
  readonly count: number;
  /** The revision of the newest key; 0 without keys. */
  readonly newest: bigint;
}

/** Reads the fingerprint of the keys. For it, etcd looks at every key but sends one. */
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
