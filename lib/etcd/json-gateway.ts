import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as HttpsAgent, request as tlsRequest } from 'node:https';
import { fieldsOfAnswer, errorOf, type Fields, textField } from './answer-fields.js';
import { Tokens } from './auth.js';
import { onAbort, within } from '../request/deadline.js';
import { failureAt, failureOfAll, type GatewayError, isOldToken } from './errors.js';
import type { EtcdAuth, EtcdSettings } from './options.js';

/** Room for some 80,000 keys; bounds what a broken or hostile host can make this process hold. */
export const MAX_ANSWER_BYTES = 16_777_216;

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
  readonly #hide = (text: string): string => this.#tokens.hide(text);
  #lastGood: string | undefined;

  constructor(settings: EtcdSettings) {
    this.#settings = settings;
    this.#https = new HttpsAgent({ keepAlive: true, ...settings.tls });
    this.#tokens = new Tokens(settings.auth, (host, auth) => this.#authenticate(host, auth));
  }

  /**
   * One request to one host, within `requestTimeoutMs`.
   *
   * @param read Takes what is wanted out of the answer; throws when it is not there.
   * @throws GatewayError; the reason of `signal`.
   */
  async ask<T>(host: string, path: string, body: object, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    try {
      const answer = await within(this.#settings.requestTimeoutMs, signal, async (limited) => {
        const response = await this.open(host, path, body, limited);
        return read(fieldsOfAnswer(await textOf(response), this.#hide));
      });
      this.#lastGood = host;
      return answer;
    } catch (error) {
      throw signal.aborted ? signal.reason : this.failure(host, error);
    }
  }

  /**
   * The same, to one host after the other, beginning with the one that answered last, until an answer counts for all.
   *
   * @throws GatewayError that names every host that was asked; the reason of `signal`.
   */
  async askAny<T>(path: string, body: object, read: (answer: Fields) => T, signal: AbortSignal): Promise<T> {
    const others = this.#settings.hosts.filter((host) => host !== this.#lastGood);
    const failures: GatewayError[] = [];
    for (const host of this.#lastGood === undefined ? others : [this.#lastGood, ...others]) {
      try {
        return await this.ask(host, path, body, read, signal);
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

  /** A request whose answer goes on: the response, its body not yet read. The signal ends it. */
  async open(host: string, path: string, body: object, signal: AbortSignal): Promise<IncomingMessage> {
    const token = await this.#tokens.of(host);
    try {
      return await this.#post(host, path, body, token, signal);
    } catch (error) {
      if (!isOldToken(error) || !this.#tokens.refused(host, token)) throw error;
      return this.#post(host, path, body, await this.#tokens.of(host), signal);
    }
  }

  /** An error as others may see it: with the host, and without password and token. */
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
    const body = { name: username, password };
    return within(this.#settings.requestTimeoutMs, this.#closing.signal, async (limited) => {
      const response = await this.#post(host, '/v3/auth/authenticate', body, undefined, limited);
      return textField(fieldsOfAnswer(await textOf(response), this.#hide), 'token');
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
    // A host that is cut off from the majority reports it, instead of watching an old state for ever.
    const headers = { 'Grpc-Metadata-Hasleader': 'true', ...(token !== undefined && { Authorization: token }) };
    const response = await post({ url: host + path, agent, headers }, JSON.stringify(body), signal);
    const status = Number(response.statusCode);
    if (status !== 200) throw errorOf(status, await textOf(response), this.#hide);
    return response;
  }
}

/** What a POST is sent with. */
export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: HttpAgent | HttpsAgent;
}

/**
 * Sends a POST; resolves when the head of the response is here. The signal ends it at any time, the body included.
 *
 * A kept connection that the other side has just closed is no failure of etcd: the request is sent once more.
 */
export async function post(options: PostOptions, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const first = sendRequest(options, body, signal);
  try {
    return await first.response;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!first.request.reusedSocket || code !== 'ECONNRESET' || signal.aborted) throw error;
    return sendRequest(options, body, signal).response;
  }
}

/** The whole body as text. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`response larger than ${String(MAX_ANSWER_BYTES)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function sendRequest(
  { url, headers, agent }: PostOptions,
  body: string,
  signal: AbortSignal,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const request = (url.startsWith('https:') ? tlsRequest : plainRequest)(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  });
  const release = onAbort(signal, () => {
    request.destroy(signal.reason as Error);
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // Stays for the whole life of the request: the response reports an error after its head as well.
    request.on('error', reject);
    request.once('close', release);
  });
  request.end(body);
  return { request, response };
}
