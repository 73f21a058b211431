import { EventEmitter } from 'node:events';
import { pause, withDeadline } from './deadline.js';
import type { GatewayError } from './gateway-error.js';
import type { LeasedKey } from './leased-key.js';
import type { Registration, RegistrationEvents, RegistrationState } from './leased-directory.js';

/** The longest wait after a failed attempt, in ms. */
const MAX_RETRY_MS = 1000;

/** An endpoint whose lease is renewed each third of its time, and whose key is put back whenever it is gone. */
export class KeptRegistration extends EventEmitter<RegistrationEvents> implements Registration {
  readonly endpoint: string;
  readonly #key: LeasedKey;
  readonly #onClose: (ended: Promise<void>) => void;
  readonly #closing = new AbortController();
  #state: RegistrationState = 'registered';
  #ttlTimer: NodeJS.Timeout | undefined;
  #nap = new AbortController();
  #ended: Promise<void> | undefined;

  /** @param onClose Called when closing begins. */
  constructor(endpoint: string, key: LeasedKey, onClose: (ended: Promise<void>) => void) {
    super();
    this.endpoint = endpoint;
    this.#key = key;
    this.#onClose = onClose;
  }

  get state(): RegistrationState {
    return this.#state;
  }

  get ttlSeconds(): number {
    return this.#key.ttlSeconds;
  }

  /**
   * Registers for the first time, and keeps it so from then on.
   *
   * @throws The last failure after `connectTimeoutMs`, or at once where it is definite; the reason of `given`. Nothing is
   *   left behind then: the lease, if there is one, is ended.
   */
  async open(connectTimeoutMs: number, given: AbortSignal | undefined): Promise<void> {
    const closing = this.#closing.signal;
    const giveUp = (): void => {
      this.#closing.abort(given?.reason);
    };
    given?.addEventListener('abort', giveUp);
    if (given?.aborted) giveUp();
    let last: GatewayError | undefined;
    try {
      await withDeadline(connectTimeoutMs, closing, async (signal) => {
        for (;;) {
          try {
            await this.#renewOrPut(signal);
            return;
          } catch (error) {
            if (signal.aborted) throw error;
            last = error as GatewayError;
            if (last.definite) throw last;
            await pause(this.#retryMs(), signal);
          }
        }
      });
    } catch (error) {
      const cause: unknown = closing.aborted ? closing.reason : (last ?? error);
      void this.close();
      throw cause;
    } finally {
      given?.removeEventListener('abort', giveUp);
    }
    void this.#keep();
  }

  /** Looks for the key in the list at a state of the store. */
  compare(revision: bigint, has: (key: string) => boolean): void {
    const { key, putAt } = this.#key;
    if (putAt === undefined || has(key)) return;
    // A list older than the key says nothing; but where the store was set back, revisions begin anew: the lease knows.
    if (revision >= putAt) {
      this.#key.drop();
      this.#lose('etcd has deleted the key');
    }
    this.#nap.abort();
  }

  close(): Promise<void> {
    if (this.#ended === undefined) {
      this.#state = 'closed';
      clearTimeout(this.#ttlTimer);
      this.#closing.abort(new Error('the registration is closed'));
      this.#nap.abort();
      this.#ended = this.#key.revoke().catch(() => undefined);
      this.#onClose(this.#ended);
    }
    return this.#ended;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = this.#renewMs();
    for (;;) {
      this.#nap = new AbortController();
      await pause(waitMs, this.#nap.signal);
      try {
        await this.#renewOrPut(signal);
        waitMs = this.#renewMs();
      } catch (error) {
        if (signal.aborted) return;
        process.nextTick(() => this.emit('retry', error as Error));
        waitMs = this.#retryMs();
      }
    }
  }

  async #renewOrPut(signal: AbortSignal): Promise<void> {
    const wasPut = this.#key.putAt !== undefined;
    let askedAt = performance.now();
    if (!wasPut || !(await this.#key.renew(signal))) {
      if (wasPut) this.#lose('etcd no longer has the lease');
      askedAt = performance.now();
      await this.#key.put(signal);
    }
    // Closing may have begun when the answer was here already.
    this.#closing.signal.throwIfAborted();
    this.#listed(askedAt);
  }

  /** The lease is good for its time, counted from when it was asked for. */
  #listed(askedAt: number): void {
    clearTimeout(this.#ttlTimer);
    const ttlMs = this.ttlSeconds * 1000;
    this.#ttlTimer = setTimeout(
      () => {
        this.#lose(`etcd has not renewed the lease for ${String(this.ttlSeconds)} s`);
      },
      askedAt + ttlMs - performance.now(),
    );
    if (this.#state === 'registered') return;
    this.#state = 'registered';
    process.nextTick(() => this.emit('restored'));
  }

  #lose(reason: string): void {
    if (this.#state !== 'registered') return;
    this.#state = 'lost';
    process.nextTick(() => this.emit('lost', new Error(reason)));
  }

  #renewMs(): number {
    return (this.ttlSeconds * 1000) / 3;
  }

  #retryMs(): number {
    return Math.min(MAX_RETRY_MS, this.ttlSeconds * 100);
  }
}
