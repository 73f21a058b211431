import { type Fields, int64, resultOf, stateOf, textField } from './answer-fields.js';
import { isLeaseNotFound, unexpectedField } from './errors.js';
import type { Gateway } from './json-gateway.js';

/** A lease of etcd, which deletes its keys when it is not renewed in time. */
export interface Lease {
  /** A 64-bit number in decimal, only ever sent back. */
  readonly id: string;
  /** In seconds, as granted: at least 1.5 of etcd's election timeouts. */
  readonly ttlSeconds: number;
}

/** Requests a new lease. */
export function grantLease(gateway: Gateway, ttlSeconds: number, signal: AbortSignal): Promise<Lease> {
  const read = (answer: Fields): Lease => {
    const granted = Number(int64(answer, 'TTL'));
    // Without a time, it would be renewed in a loop.
    if (granted === 0) throw unexpectedField('TTL');
    return { id: textField(answer, 'ID'), ttlSeconds: granted };
  };
  return gateway.askAny({ path: '/v3/lease/grant', body: { TTL: String(ttlSeconds) } }, read, signal);
}

/** Renews a lease; `false` if etcd no longer has it. */
export function renewLease(gateway: Gateway, { id }: Lease, signal: AbortSignal): Promise<boolean> {
  // An expired lease is not an error: the response omits its time.
  const isAlive = (answer: Fields): boolean => int64(resultOf(answer), 'TTL') > 0n;
  return gateway.askAny({ path: '/v3/lease/keepalive', body: { ID: id } }, isAlive, signal);
}

/** Puts a key on a lease; resolves with its new revision. */
export function putKey(gateway: Gateway, key: string, { id }: Lease, signal: AbortSignal): Promise<bigint> {
  const call = { path: '/v3/kv/put', body: { key, lease: id } };
  return gateway.askAny(call, (answer) => stateOf(answer).revision, signal);
}

/** Ends a lease, which deletes its keys. Asks all hosts at once, within one time limit: the first response counts. */
export async function revokeLease(gateway: Gateway, hosts: readonly string[], { id }: Lease): Promise<void> {
  const done = new AbortController();
  const revoke = async (host: string): Promise<void> => {
    try {
      await gateway.ask(host, { path: '/v3/lease/revoke', body: { ID: id } }, stateOf, done.signal);
    } catch (error) {
      if (!isLeaseNotFound(error)) throw error;
    }
  };
  try {
    await Promise.any(hosts.map(revoke));
  } finally {
    done.abort();
  }
}
