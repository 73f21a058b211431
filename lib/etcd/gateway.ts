import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { answerOf, type Fields, refusalOf, text } from './answers.js';
import { withDeadline } from './deadline.js';
import { failureAt, GatewayError } from './gateway-error.js';
import type { EtcdAuth, EtcdSettings } from './options.js';
import { post, textOf } from './post.js';
import { Tokens } from './tokens.js';

/** Code UNAUTHENTICATED of gRPC: the token has run out, or the host has started again since it gave it. */
const UNAUTHENTICATED = 16;
/** What etcd says, with another code, when users were changed since the token was given. */
const OLD_TOKEN = 'revision of auth store is old';

/**
 * etcd's own JSON gateway (`POST /v3/...`, etcd 3.4 and newer), over kept connections. It knows hosts, tokens, time limits
 * and what an error looks like; it knows nothing of keys and leases.
 */
export class Gateway {
  readonly #settings: EtcdSettings;
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;
  readonly #closing = new AbortController();
  readonly #tokens: Tokens;
  #lastGood: string | undefined;

  constructor(settings: EtcdSettings) {
    this.#settings = settings;
    this.#https = new HttpsAgent({ keepAlive: true, ...settings.tls });
    this.#tokens = new Tokens(settings.auth, (host, auth) => this.#authenticate(host, auth));
  }

  /**
   * One question to one host, within `requestTimeoutMs`.
   *
   * @param read Takes what is wanted out of the answer; throws where it is not there.
   * @throws GatewayError; the reason of `signal`.
   */
  async ask<T>(host: string, path: string, body: object, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    try {
      return await withDeadline(this.#settings.requestTimeoutMs, signal, async (limited) => {
        const response = await this.open(host, path, body, limited);
        return read(answerOf(await textOf(response)));
      });
    } catch (error) {
      throw signal.aborted ? signal.reason : this.failure(host, error);
    }
  }

  /** The same, to the hosts in turn, beginning with the one that has answered last, until an answer counts for all. */
  async askAny<T>(path: string, body: object, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    const others = this.#settings.hosts.filter((host) => host !== this.#lastGood);
    let last: unknown;
    for (const host of this.#lastGood === undefined ? others : [this.#lastGood, ...others]) {
      try {
        const answer = await this.ask(host, path, body, read, signal);
        this.#lastGood = host;
        return answer;
      } catch (error) {
        last = error;
        // What etcd itself refuses, every host refuses; a host that is down or set up wrongly is its own matter.
        const refused = error instanceof GatewayError && error.definite && error.code !== undefined;
        if (refused || signal.aborted) break;
      }
    }
    throw last;
  }

  /** A question whose answer goes on: the response, its body not yet read. The signal ends it. */
  async open(host: string, path: string, body: object, signal: AbortSignal): Promise<IncomingMessage> {
    const token = await this.#tokens.of(host);
    try {
      return await this.#post(host, path, body, token, signal);
    } catch (error) {
      if (!isOldToken(error) || !this.#tokens.refused(host, token)) throw error;
      return this.#post(host, path, body, await this.#tokens.of(host), signal);
    }
  }

  /** An error as it may be seen: with the host, and without password and token. */
  failure(host: string, error: unknown): GatewayError {
    return failureAt(host, error, (text) => this.#tokens.hide(text));
  }

  /** Ends all connections. */
  close(): void {
    this.#closing.abort(new Error('the directory is closed'));
    this.#http.destroy();
    this.#https.destroy();
  }

  async #authenticate(host: string, { username, password }: EtcdAuth): Promise<string> {
    const body = { name: username, password };
    return withDeadline(this.#settings.requestTimeoutMs, this.#closing.signal, async (limited) => {
      const response = await this.#post(host, '/v3/auth/authenticate', body, undefined, limited);
      return text(answerOf(await textOf(response)), 'token');
    });
  }

  async #post(
    host: string,
    path: string,
    body: object,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const agent = host.startsWith('https:') ? this.#https : this.#http;
    // A host that is cut off from the majority says so, instead of watching an old state for ever.
    const headers = { 'Grpc-Metadata-Hasleader': 'true', ...(token !== undefined && { Authorization: token }) };
    const response = await post({ url: host + path, agent, headers }, JSON.stringify(body), signal);
    const status = Number(response.statusCode);
    if (status !== 200) throw refusalOf(status, await textOf(response));
    return response;
  }
}

function isOldToken(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === UNAUTHENTICATED || error.message.includes(OLD_TOKEN));
}
