import { type Fields, int64, resultOf, revisionOf, text } from './answers.js';
import type { Gateway } from './gateway.js';
import { GatewayError } from './gateway-error.js';

/** Code NOT_FOUND of gRPC: there is no such lease. */
const NOT_FOUND = 5;

/** A key on a lease of its own: etcd deletes it once nobody has renewed the lease for its time. */
export class LeasedKey {
  readonly key: string;
  readonly #gateway: Gateway;
  readonly #hosts: readonly string[];
  #ttlSeconds: number;
  /** A 64-bit number in decimal, which is only ever handed back. */
  #lease: string | undefined;
  #putAt: bigint | undefined;

  /** @param ttlSeconds As asked for; etcd grants no less than 1.5 of its election timeouts. */
  constructor(gateway: Gateway, hosts: readonly string[], key: string, ttlSeconds: number) {
    this.#gateway = gateway;
    this.#hosts = hosts;
    this.key = key;
    this.#ttlSeconds = ttlSeconds;
  }

  /** In seconds, as granted once there is a lease. */
  get ttlSeconds(): number {
    return this.#ttlSeconds;
  }

  /** The state of the store in which the key was put; nothing while it has to be put. */
  get putAt(): bigint | undefined {
    return this.#putAt;
  }

  /** Puts the key, on a new lease where there is none. */
  async put(signal: AbortSignal): Promise<void> {
    this.#lease ??= await this.#grant(signal);
    const body = { key: this.key, lease: this.#lease };
    try {
      this.#putAt = await this.#gateway.askAny('/v3/kv/put', body, revisionOf, signal);
    } catch (error) {
      if (isNotFound(error)) this.drop();
      throw error;
    }
  }

  /** Renews the lease. `false`: the key is no longer there, and has to be put again. */
  async renew(signal: AbortSignal): Promise<boolean> {
    const lease = this.#lease;
    // A lease that has run out is no error: its time is left out of the answer.
    const isAlive = (answer: Fields): boolean => int64(resultOf(answer), 'TTL') > 0n;
    const alive = await this.#gateway.askAny('/v3/lease/keepalive', { ID: lease }, isAlive, signal);
    if (!alive && this.#lease === lease) this.drop();
    return this.#putAt !== undefined;
  }

  /** Lets the lease go unrenewed; the key has to be put on another. */
  drop(): void {
    this.#lease = undefined;
    this.#putAt = undefined;
  }

  /** Ends the lease, which deletes the key. All hosts are asked at once, as there is one time limit: the first one counts. */
  async revoke(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    this.drop();
    const done = new AbortController();
    const ask = async (host: string): Promise<void> => {
      try {
        await this.#gateway.ask(host, '/v3/lease/revoke', { ID: lease }, revisionOf, done.signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    };
    try {
      await Promise.any(this.#hosts.map(ask));
    } finally {
      done.abort();
    }
  }

  async #grant(signal: AbortSignal): Promise<string> {
    const read = (answer: Fields): [string, number] => [text(answer, 'ID'), Number(int64(answer, 'TTL'))];
    const body = { TTL: String(this.#ttlSeconds) };
    const [lease, ttlSeconds] = await this.#gateway.askAny('/v3/lease/grant', body, read, signal);
    this.#ttlSeconds = ttlSeconds;
    return lease;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof GatewayError && error.code === NOT_FOUND;
}
