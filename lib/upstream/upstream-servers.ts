import type { IncomingMessage } from 'node:http';
import { fetchEndpoints, ListingError } from '../client/index.js';
import { httpGet } from '../directory/http-get.js';
import type { UpstreamServer, UpstreamSettings } from './options.js';
import { Secrets } from '../text/secrets.js';

/** A cluster of more Coordinators is no cluster: the listing is broken, or hostile. */
const MAX_ENTRIES = 10_000;
/** Of a body: ten times what such a listing needs. */
const MAX_BYTES = 10_000_000;
/** The statuses of answers that have no body, which `Response` insists on. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The servers of an upstream: asked in turn, beginning with the one that answered last. */
export class UpstreamServers {
  readonly #settings: UpstreamSettings;
  #lastGood: UpstreamServer | undefined;

  constructor(settings: UpstreamSettings) {
    this.#settings = settings;
  }

  /**
   * The entries of the first usable listing, none of which holds a credential of ours; `undefined` for an empty listing.
   *
   * @throws ListingError of one server, or Error with the reason of each; the reason of `signal`.
   */
  async list(signal: AbortSignal): Promise<readonly (string | Error)[] | undefined> {
    const secrets = new Secrets();
    let headers: Promise<Headers> | undefined;
    const headersOfThisPoll = (): Promise<Headers> => (headers ??= this.#headers(secrets));

    const failures: ListingError[] = [];
    for (const server of this.#inOrder()) {
      secrets.addAuthorization(server.authorization);
      try {
        const entries = await this.#ask(server, headersOfThisPoll, signal);
        this.#lastGood = server;
        return entries.length === 0 ? undefined : entries.map((entry) => secrets.hideIn(entry));
      } catch (error) {
        // Whoever ends the poll knows why.
        signal.throwIfAborted();
        const failure = failureWithoutSecrets(error as ListingError, secrets);
        // The other servers would be asked as the same user; once the list is there, one of them may still know this user.
        if (this.#lastGood === undefined && (failure.code === 401 || failure.code === 403)) throw failure;
        failures.push(failure);
      }
    }
    const [only, ...others] = failures;
    if (only !== undefined && others.length === 0) throw only;
    throw new Error(failures.map(({ message }) => message).join('; '), { cause: new AggregateError(failures) });
  }

  #inOrder(): readonly UpstreamServer[] {
    const { servers } = this.#settings;
    if (this.#lastGood === undefined) return servers;
    return [this.#lastGood, ...servers.filter((server) => server !== this.#lastGood)];
  }

  async #ask(
    { url, base }: UpstreamServer,
    headersOfThisPoll: () => Promise<Headers>,
    signal: AbortSignal,
  ): Promise<(string | Error)[]> {
    const { listing, database, timeoutMs, tls } = this.#settings;
    const unreadable: Error[] = [];
    const endpoints = await fetchEndpoints(url, {
      listing,
      ...(database !== undefined && { database }),
      timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
      onSkipped: ({ message }) => {
        unreadable.push(new Error(`an entry of the upstream's listing holds no endpoint: ${message}`));
        if (unreadable.length > MAX_ENTRIES) throw tooMany();
      },
      fetch: async (target, init) => {
        // fetchEndpoints gives both. Time spent here counts against timeoutMs.
        const { headers: sent, signal: limited } = init as { headers: Headers; signal: AbortSignal };
        for (const [name, value] of await headersOfThisPoll()) sent.set(name, value);
        return responseOf(await httpGet(target as string, { headers: sent, tls }, limited));
      },
    });
    if (endpoints.length + unreadable.length > MAX_ENTRIES) throw tooMany(`${base}: `);
    return [...endpoints, ...unreadable];
  }

  async #headers(secrets: Secrets): Promise<Headers> {
    try {
      const headers = await this.#settings.headers();
      for (const [name, value] of headers) secrets.addHeader(name, value);
      return headers;
    } catch (error) {
      throw new ListingError('unreachable', `no headers to ask with: ${(error as Error).message}`);
    }
  }
}

function tooMany(server = ''): ListingError {
  return new ListingError('too-large', `${server}the listing has more than ${String(MAX_ENTRIES)} entries`);
}

/** The server's own words, without what it sends back of ours. The cause goes: it may hold a piece of the body. */
function failureWithoutSecrets(
  { kind, message, code, errorNum, errorMessage }: ListingError,
  secrets: Secrets,
): ListingError {
  // errorNum 9 with status 501: what the reference server says on any other role.
  const note = code === 501 && errorNum === 9 ? ' (the server is no Coordinator)' : '';
  const words = errorMessage === undefined ? {} : { errorMessage: secrets.hide(errorMessage) };
  return new ListingError(kind, secrets.hide(message) + note, { code, errorNum, ...words });
}

/** As `fetch` would have it: what `fetchEndpoints` looks at, the body unread. */
function responseOf(message: IncomingMessage): Response {
  const status = Number(message.statusCode);
  if (status > 599) throw new ListingError('malformed', `the status ${String(status)} is not one of HTTP`);
  const headers = new Headers();
  for (const name of ['content-type', 'location'] as const) {
    const value = message.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : bodyOf(message), { status, headers });
}

/** `Readable.toWeb` throws into the void where a stream is cancelled and destroyed at the same time. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = message[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value);
      },
      cancel: () => {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
