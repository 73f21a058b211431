import { EventEmitter } from 'node:events';
import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { DirectoryEvents, DirectoryStatus } from '../directory/directory.js';
import { HeldList } from '../directory/held-list.js';
import { readOptions } from '../options/read-options.js';
import { ABORT_SIGNAL, integer, optional } from '../options/rules.js';
import { withDeadline } from './deadline.js';
import { follow } from './follower.js';
import { Gateway } from './gateway.js';
import type { GatewayError } from './gateway-error.js';
import { Keys } from './keys.js';
import { LeasedKey } from './leased-key.js';
import type { LeasedDirectory, RegisterOptions, Registration } from './leased-directory.js';
import type { EtcdSettings } from './options.js';
import { KeptRegistration } from './registration.js';

const REGISTER = {
  ttlSeconds: integer(1, 86_400, 15),
  signal: optional(ABORT_SIGNAL),
};

/** The directory that etcd keeps: what it lists, and what this process has listed in it. */
export class EtcdDirectory extends EventEmitter<DirectoryEvents> implements LeasedDirectory {
  readonly provider: () => readonly string[];
  readonly #settings: EtcdSettings;
  readonly #list: HeldList;
  readonly #keys: Keys;
  readonly #gateway: Gateway;
  readonly #registrations = new Set<KeptRegistration>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(settings: EtcdSettings) {
    super();
    this.#settings = settings;
    this.#list = new HeldList(this, settings.maxStaleMs);
    this.provider = this.#list.provider;
    this.#keys = new Keys(settings.prefix);
    this.#gateway = new Gateway(settings);
  }

  /** Begins to follow etcd; resolves when the list is live. @throws What `createEtcdDirectory` says. */
  async open(): Promise<void> {
    let last: GatewayError | undefined;
    const live = new Promise<void>((resolve, reject) => {
      const parts = {
        gateway: this.#gateway,
        keys: this.#keys,
        settings: this.#settings,
        list: this.#list,
        onKeys: (revision: bigint, has: (key: string) => boolean) => {
          for (const registration of this.#registrations) registration.compare(revision, has);
        },
        onLive: resolve,
      };
      const onFailure = (error: GatewayError): void => {
        last = error;
        this.#list.fail(error);
        if (error.definite) reject(error);
      };
      void follow(parts, onFailure, this.#closing.signal);
    });
    try {
      await withDeadline(this.#settings.connectTimeoutMs, this.#closing.signal, () => live);
    } catch (error) {
      await this.close();
      throw last ?? error;
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
      throw new Error(`${listed} is registered already`);
    }
    const { hosts, connectTimeoutMs, includeSelf } = this.#settings;
    const key = new LeasedKey(this.#gateway, hosts, this.#keys.of(listed), ttlSeconds);
    const registration = new KeptRegistration(listed, key, (ended) => {
      this.#list.exclude(listed);
      void ended.then(() => this.#registrations.delete(registration));
    });
    this.#registrations.add(registration);
    await registration.open(connectTimeoutMs, signal);
    if (includeSelf) this.#list.include(listed);
    return registration;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#list.close();
    this.#closing.abort(new Error('the directory is closed'));
    await Promise.all([...this.#registrations].map((registration) => registration.close()));
    this.#gateway.close();
  }
}
