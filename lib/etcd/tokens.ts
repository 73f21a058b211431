import type { EtcdAuth } from './options.js';

/** Asks a host for a new token. */
export type Authenticate = (host: string, auth: EtcdAuth) => Promise<string>;

/**
 * The tokens that etcd has given for user and password. One for each host: a host that has just started knows no token that
 * another has given, and a question to one host never waits for another.
 */
export class Tokens {
  readonly #auth: EtcdAuth | undefined;
  readonly #authenticate: Authenticate;
  readonly #asked = new Map<string, Promise<string>>();
  /** Those that have not been refused. */
  readonly #good = new Map<string, string>();
  /** The last ones, refused or not. */
  readonly #given = new Map<string, string>();

  constructor(auth: EtcdAuth | undefined, authenticate: Authenticate) {
    this.#auth = auth;
    this.#authenticate = authenticate;
  }

  /** The token for a host, asked for once however many need it; nothing without user and password. */
  async of(host: string): Promise<string | undefined> {
    if (this.#auth === undefined) return undefined;
    const asked = this.#asked.get(host) ?? this.#ask(host, this.#auth);
    this.#asked.set(host, asked);
    return asked;
  }

  /** The host no longer takes this token. Says whether another can be had. */
  refused(host: string, token: string | undefined): boolean {
    // Several questions may come back with the same refusal: only the first one asks for another token.
    if (this.#good.get(host) === token) {
      this.#good.delete(host);
      this.#asked.delete(host);
    }
    return this.#auth !== undefined;
  }

  /** A text of a host without password and tokens, should it have repeated them. */
  hide(text: string): string {
    const secrets = [...this.#given.values(), ...(this.#auth ? [this.#auth.password] : [])];
    const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
    return forms.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
  }

  async #ask(host: string, auth: EtcdAuth): Promise<string> {
    try {
      const token = await this.#authenticate(host, auth);
      this.#good.set(host, token);
      this.#given.set(host, token);
      return token;
    } catch (error) {
      this.#asked.delete(host);
      throw error;
    }
  }
}
