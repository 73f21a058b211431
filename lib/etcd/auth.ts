import { Secrets } from '../text/secrets.js';
import type { EtcdAuth } from './options.js';

/** Requests a new token from a host. */
export type Authenticate = (host: string, auth: EtcdAuth) => Promise<string>;

/**
 * The tokens that etcd issues for user and password, one for each host: a host that has just started does not know the tokens of another, and
 * a request to one host never waits for another.
 */
export class Tokens {
  readonly #auth: EtcdAuth | undefined;
  readonly #authenticate: Authenticate;
  readonly #requested = new Map<string, Promise<string>>();
  /** Those that no host has refused. */
  readonly #valid = new Map<string, string>();
  /** The last ones, refused or not. */
  readonly #issued = new Map<string, string>();

  constructor(auth: EtcdAuth | undefined, authenticate: Authenticate) {
    this.#auth = auth;
    this.#authenticate = authenticate;
  }

  /** The token for a host, requested once for all callers; `undefined` without user and password. */
  async of(host: string): Promise<string | undefined> {
    if (this.#auth === undefined) return undefined;
    const requested = this.#requested.get(host) ?? this.#request(host, this.#auth);
    this.#requested.set(host, requested);
    return requested;
  }

  /** The host no longer takes this token. Returns whether there can be another. */
  refused(host: string, token: string | undefined): boolean {
    // Several requests may be refused for the same token: only the first refusal leads to a new one.
    if (this.#valid.get(host) === token) {
      this.#valid.delete(host);
      this.#requested.delete(host);
    }
    return this.#auth !== undefined;
  }

  /** A text from a host, without any user, password and token that it repeats. */
  hide(text: string): string {
    const secrets = new Secrets();
    const { username, password } = this.#auth ?? {};
    for (const secret of [...this.#issued.values(), username, password]) secrets.add(secret ?? '');
    return secrets.hide(text);
  }

  async #request(host: string, auth: EtcdAuth): Promise<string> {
    try {
      const token = await this.#authenticate(host, auth);
      this.#valid.set(host, token);
      this.#issued.set(host, token);
      return token;
    } catch (error) {
      this.#requested.delete(host);
      throw error;
    }
  }
}
