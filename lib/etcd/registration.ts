import { EventEmitter } from 'node:events';
import { MAX_TIMER_MS } from '../options/rules.js';
import { onAbort, pause, within } from '../request/deadline.js';
import { type GatewayError, isLeaseNotFound } from './errors.js';
import type { Gateway } from './json-gateway.js';
import type { HeldKeys } from './held-keys.js';
import { grantLease, type Lease, putKey, renewLease, revokeLease } from './lease.js';
import type { Registration, RegistrationEvents, RegistrationState } from './types.js';

/** The longest wait after a failed attempt, in ms. */
const MAX_RETRY_MS = 1000;

/** What a registration works with. */
export interface RegistrationParts {
  readonly gateway: Gateway;
  readonly hosts: readonly string[];
  /** The name of the key that stands for the endpoint. */
  readonly key: string;
  /** As asked for, until etcd has granted a lease. */
  readonly ttlSeconds: number;
  /** Called when the endpoint is registered for the first time. */
  readonly onOpen: () => void;
  /** Called when closing begins. */
  readonly onClose: (ended: Promise<void>) => void;
}

/** What the list last showed of the key: there is nothing, or the lease that it is on. */
interface Sighting {
  readonly revision: bigint;
  readonly lease: string | undefined;
}

/**
 * An endpoint whose lease is renewed each third of its time, and whose key is put back whenever it is gone.
 *
 * Requests and the watch come over different connections, so a deletion may be seen before the answer to the put that it
 * deleted. Whatever comes first, each is compared by its revision, and the key put again until the latest revision has it.
 */
export class KeptRegistration extends EventEmitter<RegistrationEvents> implements Registration {
  readonly endpoint: string;
  readonly #parts: RegistrationParts;
  readonly #closing = new AbortController();
  #state: RegistrationState = 'registered';
  #ttlSeconds: number;
  #lease: Lease | undefined;
  /** The one before: a request that was long on its way may still put the key on it. */
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
   * Registers for the first time, and keeps it so from then on.
   *
   * @throws The last failure after `connectTimeoutMs`, or at once when it is definite; the reason of `given`. Nothing is
   *   left behind then: the lease, if there is one, is ended.
   */
  async open(connectTimeoutMs: number, given: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal;
    const release =
      given &&
      onAbort(given, () => {
        this.#closing.abort(given.reason);
      });
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
      release?.();
    }
    this.#parts.onOpen();
    void this.#keep();
  }

  /** Takes note of how the key stands in the list. */
  compare(keys: HeldKeys): void {
    const { revision } = keys;
    const lease = keys.get(this.#parts.key)?.lease;
    this.#sighting = { revision, lease };
    // A list from before the put says nothing; but when the store was set back, its revisions start again: the lease knows.
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
      // From here on, so that what is seen while the request is under way ends the next wait at once.
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
      // Closing may have begun when the answer was here already.
      this.#closing.signal.throwIfAborted();
    } while (this.#isToPutAgain());
    this.#listed(askedAt);
  }

  /** `false`: the key has to be put again. */
  async #renew(signal: AbortSignal): Promise<boolean> {
    const lease = this.#lease;
    if (lease !== undefined && !(await renewLease(this.#parts.gateway, lease, signal)) && this.#lease === lease) {
      this.#drop();
      this.#lose('etcd no longer has the lease');
    }
    return this.#putAt !== undefined;
  }

  /** Puts the key, on a new lease when there is none. */
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

  /** Lets the lease go unrenewed; the key has to be put on another. */
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

  /** Whether the list shows that etcd no longer has the key as it was put last. Each sighting is judged once. */
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
    // Another lease is that of a process which has registered the same endpoint since; but on this one, or on none, the key
    // would not go with this process.
    if (lease !== '0' && lease !== this.#lastLease?.id) return false;
    this.#putAt = undefined;
    return true;
  }

  /** The lease is good for its time, counted from when it was requested. */
  #listed(askedAt: number): void {
    clearTimeout(this.#ttlTimer);
    const ttlMs = this.#ttlSeconds * 1000;
    this.#ttlTimer = setTimeout(
      () => {
        this.#lose(`lease not renewed for ${String(this.#ttlSeconds)} s`);
      },
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
