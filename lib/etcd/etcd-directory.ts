import { EventEmitter } from 'node:events';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { DirectoryEvents, DirectoryStatus, EndpointDirectory } from '../directory/directory.js';
import { HeldList } from '../directory/held-list.js';
import { readOptions } from '../options/read-options.js';
import { ABORT_SIGNAL, integer, optional } from '../options/rules.js';
import { onAbort, within } from '../request/deadline.js';
import { failureOfAll, type GatewayError } from './errors.js';
import { follow } from './follow-host.js';
import { Gateway } from './json-gateway.js';
import { HeldKeys } from './held-keys.js';
import { Keys } from './keys.js';
import { type EtcdDirectoryOptions, type EtcdSettings, readEtcdOptions } from './options.js';
import { KeptRegistration, type Registration } from './registration.js';

export interface RegisterOptions {
  /**
   * Seconds for which the entry outlives this process: an integer from 1 to 86400. etcd may grant more. Below 15, a change of etcd's leader
   * can remove live Coordinators from the list for a moment.
   * @defaultValue 15
   */
  readonly ttlSeconds?: number;
  /** Gives up registering. Has no effect once the endpoint is registered. */
  readonly signal?: AbortSignal;
}

/** A directory whose members list themselves. */
export interface LeasedDirectory extends EndpointDirectory {
  /**
   * Lists an endpoint: resolves once it is listed, and keeps it listed until `close()` of the registration or the directory.
   *
   * @throws EndpointSyntaxError for an endpoint that clients cannot use, including `unix` and wildcard addresses; TypeError for options; Error
   *   if the endpoint is already registered here, if etcd refuses (at once), or if it has not answered within `connectTimeoutMs`, naming each
   *   host's failure; the reason of `signal`.
   */
  register(endpoint: string, options?: RegisterOptions): Promise<Registration>;
}

/**
 * Opens a directory in etcd. Resolves once the list is complete and watched.
 *
 * @example
 * ```ts
 * import { createEtcdDirectory } from 'express-endpoint-listing/etcd';
 *
 * const directory = await createEtcdDirectory({ hosts: ['http://10.0.1.1:2379'] });
 * await directory.register('tcp://10.0.0.1:8529');
 * ```
 * @throws TypeError for invalid options.
 * @throws Error with the failure of each host: at once if every host refuses for good (wrong password, no permission, no JSON gateway,
 *   TLS), otherwise if none has given a usable response within `connectTimeoutMs`.
 * @throws The reason of `options.signal`, if that aborts first.
 */
export async function createEtcdDirectory(options: EtcdDirectoryOptions): Promise<LeasedDirectory> {
  const directory = new EtcdDirectory(readEtcdOptions(options));
  await directory.open();
  return directory;
}

const REGISTER = {
  ttlSeconds: integer(1, 86_400, 15),
  signal: optional(ABORT_SIGNAL),
};

class EtcdDirectory extends EventEmitter<DirectoryEvents> implements LeasedDirectory {
  readonly provider: () => readonly string[];
  readonly #settings: EtcdSettings;
  readonly #list: HeldList;
  readonly #keys: Keys;
  readonly #held: HeldKeys;
  readonly #gateway: Gateway;
  readonly #registrations = new Set<KeptRegistration>();
  readonly #closing = new AbortController();
  #following = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(settings: EtcdSettings) {
    super();
    this.#settings = settings;
    this.#list = new HeldList(this, settings.maxStaleMs);
    this.provider = this.#list.provider;
    this.#keys = new Keys(settings.prefix);
    this.#held = new HeldKeys(this.#list, (keys) => {
      for (const registration of this.#registrations) registration.compare(keys);
    });
    this.#gateway = new Gateway(settings);
  }

  /** Starts to follow etcd; resolves once the list is live. @throws What `createEtcdDirectory` throws. */
  async open(): Promise<void> {
    const { hosts, connectTimeoutMs, signal } = this.#settings;
    const release = onAbort(signal, () => this.#closing.abort(signal?.reason));
    const failures = new Map<string | undefined, GatewayError>();
    const live = new Promise<void>((resolve, reject) => {
      const parts = {
        gateway: this.#gateway,
        keys: this.#keys,
        settings: this.#settings,
        held: this.#held,
        list: this.#list,
        onLive: resolve,
      };
      const onFailure = (error: GatewayError): void => {
        this.#list.fail(error);
        failures.set(error.host, error);
        if (hosts.every((host) => failures.get(host)?.definite)) reject(error);
      };
      this.#following = follow(parts, onFailure, this.#closing.signal);
    });
    try {
      await within(connectTimeoutMs, this.#closing.signal, () => live);
      this.#closing.signal.throwIfAborted();
    } catch (error) {
      await this.close();
      signal?.throwIfAborted();
      throw failureOfAll(hosts.map((host) => failures.get(host) ?? this.#gateway.failure(host, error)));
    } finally {
      release();
    }
  }

  status(): DirectoryStatus {
    return this.#list.status();
  }

  async register(endpoint: string, options: RegisterOptions = {}): Promise<Registration> {
    const { ttlSeconds, signal } = readOptions('register', options, REGISTER);
    const listed = coordinatorEndpoint(endpoint);
    if (this.#closed !== undefined) throw new Error(`${listed} cannot be registered: the directory is closed`);
    if ([...this.#registrations].some((other) => other.endpoint === listed && other.state !== 'closed')) {
      throw new Error(`${listed} is already registered`);
    }
    const { hosts, connectTimeoutMs, includeSelf } = this.#settings;
    const registration = new KeptRegistration(listed, {
      gateway: this.#gateway,
      hosts,
      key: this.#keys.of(listed),
      ttlSeconds,
      onOpen: () => {
        if (includeSelf) this.#list.include(listed);
      },
      onClose: (ended) => {
        this.#list.exclude(listed);
        void ended.then(() => this.#registrations.delete(registration));
      },
    });
    this.#registrations.add(registration);
    await registration.open(connectTimeoutMs, signal);
    return registration;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#list.close();
    this.#held.close();
    this.#closing.abort(new Error('the directory is closed'));
    await Promise.all([...this.#registrations].map((registration) => registration.close()));
    await this.#following;
    this.#gateway.close();
  }
}
