import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { bytesOf } from '../request/bounded-body.js';
import { within } from '../request/deadline.js';
import { LastGoodFirst } from '../request/last-good-first.js';
import { send } from '../request/send.js';
import { fieldsOfAnswer, errorOf, type Fields, textField } from './answer-fields.js';
import { failureAt, failureOfAll, type GatewayError, isOldToken } from './errors.js';
import type { EtcdAuth, EtcdSettings } from './options.js';
import { Secrets } from '../text/secrets.js';

/** Room for about 80,000 keys; limits the memory that a broken or hostile host can take. */
export const MAX_ANSWER_BYTES = 16_777_216;

/** A request to etcd: the path of a call, and its message. */
export interface Call {
  readonly path: string;
  readonly body: object;
}

/**
 * etcd's own JSON gateway (`POST /v3/...`, etcd 3.4 and newer), over kept connections. It knows hosts, tokens, time limits and errors, but not
 * keys and leases.
 */
export class Gateway {
  readonly #settings: EtcdSettings;
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;
  readonly #closing = new AbortController();
  readonly #tokens: Tokens;
  readonly #hide = (text: string): string => this.#tokens.hide(text);
  readonly #hosts: LastGoodFirst<string>;

  constructor(settings: EtcdSettings) {
    this.#settings = settings;
    this.#hosts = new LastGoodFirst(settings.hosts);
    this.#https = new HttpsAgent({ keepAlive: true, ...settings.tls });
    this.#tokens = new Tokens(settings.auth, (host, auth) => this.#authenticate(host, auth));
  }

  /**
   * One request to one host, within `requestTimeoutMs`.
   *
   * @param read - Reads the result from the response; throws if it is missing.
   * @throws GatewayError; the reason of `signal`.
   */
  async ask<T>(host: string, call: Call, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    try {
      const answer = await within(this.#settings.requestTimeoutMs, signal, async (limited) => {
        const response = await this.open(host, call, limited);
        return read(fieldsOfAnswer(await textOf(response), this.#hide));
      });
      this.#hosts.answered(host);
      return answer;
    } catch (error) {
      throw signal.aborted ? signal.reason : this.failure(host, error);
    }
  }

  /**
   * The same, to one host after another, beginning with the one that answered last, until a response counts for all.
   *
   * @throws GatewayError that names every tried host; the reason of `signal`.
   */
  async askAny<T>(call: Call, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    const failures: GatewayError[] = [];
    for (const host of this.#hosts.inOrder()) {
      try {
        return await this.ask(host, call, read, signal);
      } catch (error) {
        signal.throwIfAborted();
        // ask() throws nothing else.
        const failure = error as GatewayError;
        failures.push(failure);
        if (failure.answersForAll) break;
      }
    }
    throw failureOfAll(failures);
  }

  /** A streaming request: resolves with the response, its body unread. The signal ends it. */
  async open(host: string, call: Call, signal: AbortSignal): Promise<IncomingMessage> {
    const token = await this.#tokens.of(host);
    try {
      return await this.#post(host, call, token, signal);
    } catch (error) {
      if (!isOldToken(error) || !this.#tokens.refused(host, token)) throw error;
      return this.#post(host, call, await this.#tokens.of(host), signal);
    }
  }

  /** An error for others: with the host, and without password and token. */
  failure(host: string, error: unknown): GatewayError {
    return failureAt(host, error, this.#hide);
  }

  /** Ends all connections. */
  close(): void {
    this.#closing.abort(new Error('the directory is closed'));
    this.#http.destroy();
    this.#https.destroy();
  }

  async #authenticate(host: string, { username, password }: EtcdAuth): Promise<string> {
    const call = { path: '/v3/auth/authenticate', body: { name: username, password } };
    return within(this.#settings.requestTimeoutMs, this.#closing.signal, async (limited) => {
      const response = await this.#post(host, call, undefined, limited);
      return textField(fieldsOfAnswer(await textOf(response), this.#hide), 'token');
    });
  }

  async #post(
    host: string,
    { path, body }: Call,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const agent = host.startsWith('https:') ? this.#https : this.#http;
    // A host without the majority then reports it, instead of watching an old state for ever.
    const headers = {
      'Grpc-Metadata-Hasleader': 'true',
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: token }),
    };
    const response = await send(host + path, { agent, headers, body: JSON.stringify(body) }, signal);
    const status = Number(response.statusCode);
    if (status !== 200) throw errorOf(status, await textOf(response), this.#hide);
    return response;
  }
}

/** The whole body as text. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const tooLarge = (): Error => new Error(`response larger than ${String(MAX_ANSWER_BYTES)} bytes`);
  return Buffer.from(await bytesOf(response, MAX_ANSWER_BYTES, tooLarge)).toString();
}

type Authenticate = (host: string, auth: EtcdAuth) => Promise<string>;

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
