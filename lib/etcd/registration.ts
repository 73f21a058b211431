import { EventEmitter } from 'node:events';
import type { Emitter } from '../directory/directory.js';
import { MAX_TIMER_MS } from '../options/rules.js';
import { onAbort, pause, within } from '../request/deadline.js';
import { type GatewayError, isLeaseNotFound } from './errors.js';
import type { Gateway } from './json-gateway.js';
import type { HeldKeys } from './held-keys.js';
import { grantLease, type Lease, putKey, renewLease, revokeLease } from './lease.js';

/** `registered`: listed by etcd. `lost`: not, or perhaps not, listed, and re-registering. `closed`: after `close()`. */
export type RegistrationState = 'registered' | 'lost' | 'closed';

/** The events of a registration, with their arguments. */
export interface RegistrationEvents {
  /** etcd has dropped the endpoint, or has not renewed its lease for `ttlSeconds`: others no longer list it. */
  lost: [reason: Error];
  /** Listed again, after `lost`. */
  restored: [];
  /** An attempt to renew or to register again has failed; it will be repeated. */
  retry: [error: Error];
}

/** One endpoint that stays listed as long as this process renews its lease. It emits no event after `close()`. */
export interface Registration extends Emitter<RegistrationEvents> {
  /** In canonical form. */
  readonly endpoint: string;
  readonly state: RegistrationState;
  /** Seconds for which the entry outlives this process, as granted by etcd. */
  readonly ttlSeconds: number;
  /** Deregisters the endpoint, within `requestTimeoutMs`. Never rejects: when etcd is unreachable, the lease expires. */
  close(): Promise<void>;
}

/** The longest wait after a failed attempt, in ms. */
const MAX_RETRY_MS = 1000;

/** The parts of a registration. */
export interface RegistrationParts {
  readonly gateway: Gateway;
  readonly hosts: readonly string[];
  /** The name of the endpoint's key. */
  readonly key: string;
  /** As requested, until etcd has granted a lease. */
  readonly ttlSeconds: number;
  /** Called when the endpoint is registered for the first time. */
  readonly onOpen: () => void;
  /** Called when closing begins. */
  readonly onClose: (ended: Promise<void>) => void;
}

/** The last state of the key in the list: missing, or on a lease. */
interface Sighting {
  readonly revision: bigint;
  readonly lease: string | undefined;
}

/**
 * An endpoint whose lease is renewed after each third of its time, and whose key is restored whenever it disappears.
 *
 * Requests and the watch use different connections, so a deletion may be seen before the response to the put that it deleted. Both are
 * compared by revision, and the key is put again until the latest revision has it.
 */
export class KeptRegistration extends EventEmitter<RegistrationEvents> implements Registration {
  readonly endpoint: string;
  readonly #parts: RegistrationParts;
  readonly #closing = new AbortController();
  #state: RegistrationState = 'registered';
  #ttlSeconds: number;
  #lease: Lease | undefined;
  /** The previous lease: a delayed request may still put the key on it. */
  #lastLease: Lease | undefined;
  /** The revision in which the key was put; `undefined` while it has to be put. */
  #putAt: bigint | undefined;
  #sighting: Sighting | undefined;
  #ttlTimer: NodeJS.Timeout | undefined;
  /** Ends the wait for the next renewal. */
  #wake = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(endpoint: string, parts: RegistrationParts) {
    super();
    this.endpoint = endpoint;
    this.#parts = parts;
    this.#ttlSeconds = parts.ttlSeconds;
  }

  get state(): RegistrationState {
    return this.#state;
  }

  get ttlSeconds(): number {
    return this.#ttlSeconds;
  }

  /**
   * Registers for the first time, and keeps the endpoint registered.
   *
   * @throws The last failure after `connectTimeoutMs`, or at once if it is definite; the reason of `given`. It then leaves nothing behind: a
   *   lease is ended.
   */
  async open(connectTimeoutMs: number, given: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal;
    const release = onAbort(given, () => this.#closing.abort(given?.reason));
    let last: GatewayError | undefined;
    try {
      await within(connectTimeoutMs, closing, async (signal) => {
        for (;;) {
          try {
            await this.#renewOrPut(signal);
            return;
          } catch (error) {
            signal.throwIfAborted();
            last = error as GatewayError;
            if (last.definite) throw last;
            await pause(this.#retryMs(), signal);
          }
        }
      });
      closing.throwIfAborted();
    } catch (error) {
      const cause: unknown = closing.aborted ? closing.reason : (last ?? error);
      void this.close();
      throw cause;
    } finally {
      release();
    }
    this.#parts.onOpen();
    void this.#keep();
  }

  /** Records the state of the key in the list. */
  compare(keys: HeldKeys): void {
    const { revision } = keys;
    const lease = keys.get(this.#parts.key)?.lease;
    this.#sighting = { revision, lease };
    // A list from before the put proves nothing. But if the store was set back, its revisions start again: then the lease tells.
    const unsure = this.#putAt !== undefined && revision < this.#putAt && lease === undefined;
    if (unsure || this.#isToPutAgain()) this.#wake.abort();
  }

  close(): Promise<void> {
    if (this.#ended === undefined) {
      this.#state = 'closed';
      clearTimeout(this.#ttlTimer);
      this.#closing.abort(new Error('the registration is closed'));
      this.#wake.abort();
      this.#ended = this.#revoke();
      this.#parts.onClose(this.#ended);
    }
    return this.#ended;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = this.#renewMs();
    for (;;) {
      await pause(waitMs, this.#wake.signal);
      if (signal.aborted) return;
      // From here on, so that a change seen during the request ends the next wait at once.
      this.#wake = new AbortController();
      try {
        await this.#renewOrPut(signal);
        waitMs = this.#renewMs();
      } catch (error) {
        this.#emit(() => this.emit('retry', error as Error));
        waitMs = this.#retryMs();
      }
    }
  }

  async #renewOrPut(signal: AbortSignal): Promise<void> {
    let askedAt: number;
    do {
      askedAt = performance.now();
      if (this.#putAt === undefined || !(await this.#renew(signal))) {
        askedAt = performance.now();
        await this.#put(signal);
      }
      // Closing may have begun after the response.
      this.#closing.signal.throwIfAborted();
    } while (this.#isToPutAgain());
    this.#listed(askedAt);
  }

  /** `false` if the key must be put again. */
  async #renew(signal: AbortSignal): Promise<boolean> {
    const lease = this.#lease;
    if (lease !== undefined && !(await renewLease(this.#parts.gateway, lease, signal)) && this.#lease === lease) {
      this.#drop();
      this.#lose('etcd no longer has the lease');
    }
    return this.#putAt !== undefined;
  }

  /** Puts the key, on a new lease if there is none. */
  async #put(signal: AbortSignal): Promise<void> {
    const { gateway, key, ttlSeconds } = this.#parts;
    if (this.#lease === undefined) {
      const lease = await grantLease(gateway, ttlSeconds, signal);
      this.#lease = lease;
      this.#ttlSeconds = lease.ttlSeconds;
    }
    try {
      this.#putAt = await putKey(gateway, key, this.#lease, signal);
    } catch (error) {
      if (isLeaseNotFound(error)) this.#drop();
      throw error;
    }
  }

  /** Stops renewing the lease; the key must be put on another. */
  #drop(): void {
    this.#lastLease = this.#lease;
    this.#lease = undefined;
    this.#putAt = undefined;
  }

  async #revoke(): Promise<void> {
    const lease = this.#lease;
    this.#drop();
    if (lease !== undefined) {
      await revokeLease(this.#parts.gateway, this.#parts.hosts, lease).catch(() => undefined);
    }
  }

  /** Whether the list shows that etcd no longer has the key as last put. Each state is judged once. */
  #isToPutAgain(): boolean {
    if (this.#putAt === undefined || this.#sighting === undefined || this.#sighting.revision < this.#putAt)
      return false;
    const { lease } = this.#sighting;
    this.#sighting = undefined;
    if (lease === undefined) {
      this.#drop();
      this.#lose('etcd deleted the key');
      return true;
    }
    // Another lease belongs to a process that has registered the same endpoint since. On the previous lease, or on none, the key would not
    // expire with this process.
    if (lease !== '0' && lease !== this.#lastLease?.id) return false;
    this.#putAt = undefined;
    return true;
  }

  /** The lease is valid for its time, counted from its request. */
  #listed(askedAt: number): void {
    clearTimeout(this.#ttlTimer);
    const ttlMs = this.#ttlSeconds * 1000;
    this.#ttlTimer = setTimeout(
      () => this.#lose(`lease not renewed for ${String(this.#ttlSeconds)} s`),
      Math.min(MAX_TIMER_MS, askedAt + ttlMs - performance.now()),
    );
    if (this.#state === 'registered') return;
    this.#state = 'registered';
    this.#emit(() => this.emit('restored'));
  }

  #lose(reason: string): void {
    if (this.#state !== 'registered') return;
    this.#state = 'lost';
    this.#emit(() => this.emit('lost', new Error(reason)));
  }

  /** Listeners run once the current step is complete, and none after `close()`. */
  #emit(emit: () => void): void {
    process.nextTick(() => {
      if (this.#ended === undefined) emit();
    });
  }

  #renewMs(): number {
    return Math.min(MAX_TIMER_MS, (this.#ttlSeconds * 1000) / 3);
  }

  #retryMs(): number {
    return Math.min(MAX_RETRY_MS, this.#ttlSeconds * 100);
  }
}
