import { listingPath, type ServerAddress } from '../endpoint/server-address.js';
import { askListing } from '../listing/ask-listing.js';
import { inTimeAndContext, requestHeaders } from '../listing/in-time.js';
import { ListingError } from '../listing/listing-error.js';
import { readEndpoints } from '../listing/read-endpoints.js';
import { LastGoodFirst } from '../request/last-good-first.js';
import { type UpstreamSettings, readUpstreamOptions, type UpstreamDirectoryOptions } from './options.js';
import { withReason } from '../text/reason.js';
import { Secrets } from '../text/secrets.js';
import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';

/**
 * Opens a directory that polls the listing of an existing server: the members of a cluster that does not use this package.
 *
 * A poll uses the first usable response and begins with the server that answered last. If none answers, the list is stale and is still
 * served, for up to `maxStaleMs`. An empty listing counts after two in a row; an invalid entry is skipped. A body over 10,000,000 bytes,
 * more than 10,000 entries and a redirect are failures. No error, event or status contains a value of `headers` or a password.
 *
 * @example
 * ```ts
 * import { createUpstreamDirectory } from 'express-endpoint-listing/upstream';
 *
 * const directory = await createUpstreamDirectory({ servers: ['http://10.0.0.11:8529', 'http://10.0.0.12:8529'] });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws Error if there is no first list, with the reason in its message and as its `cause`: at once after a 401 or 403 or if all servers
 *   fail, otherwise after `connectTimeoutMs`. It does not retry.
 */
export async function createUpstreamDirectory(options: UpstreamDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readUpstreamOptions(options);
  const servers = new UpstreamServers(settings);
  return new PolledDirectory(servers.list, settings, servers.hide).open('the upstream');
}

/** No cluster has more Coordinators: the listing is broken, or hostile. */
const MAX_ENTRIES = 10_000;

/** The servers of an upstream, tried in order, beginning with the one that answered last. */
class UpstreamServers {
  readonly #settings: UpstreamSettings;
  readonly #servers: LastGoodFirst<ServerAddress>;
  /** Those of the last poll. */
  #secrets = new Secrets();

  constructor(settings: UpstreamSettings) {
    this.#settings = settings;
    this.#servers = new LastGoodFirst(settings.servers);
  }

  /**
   * The entries of the first usable listing; `undefined` for an empty one.
   *
   * @throws ListingError of one server, or Error with the reason of each; the reason of `signal`.
   */
  readonly list = async (signal: AbortSignal): Promise<readonly (string | Error)[] | undefined> => {
    const secrets = (this.#secrets = new Secrets());
    let headers: Promise<Headers> | undefined;
    const headersOfThisPoll = (): Promise<Headers> => (headers ??= this.#headers(secrets));

    const failures: ListingError[] = [];
    for (const server of this.#servers.inOrder()) {
      secrets.addAuthorization(server.authorization);
      try {
        const entries = await this.#ask(server, headersOfThisPoll, signal);
        this.#servers.answered(server);
        return entries.length === 0 ? undefined : entries;
      } catch (error) {
        // The code that ends the poll knows the reason.
        signal.throwIfAborted();
        const failure = withoutCause(error as ListingError);
        // At startup, the other servers would reject the same user; later, one of them may still accept it.
        if (!this.#servers.hasAnswered && (failure.code === 401 || failure.code === 403)) throw failure;
        failures.push(failure);
      }
    }
    const [only, ...others] = failures;
    if (only !== undefined && others.length === 0) throw only;
    throw new Error(failures.map(({ message }) => message).join('; '), { cause: new AggregateError(failures) });
  };

  /** A text of the upstream without our credentials; not for an endpoint, which stays as it is, even if it equals a password. */
  readonly hide = (text: string): string => this.#secrets.hide(text);

  async #ask(
    { base, authorization }: ServerAddress,
    headersOfThisPoll: () => Promise<Headers>,
    signal: AbortSignal,
  ): Promise<(string | Error)[]> {
    const { listing, database, timeoutMs, tls } = this.#settings;
    const url = base + listingPath(listing, database);
    const headers = requestHeaders({}, authorization);
    const unreadable: Error[] = [];
    const onSkipped = ({ message }: ListingError): void => {
      unreadable.push(new Error(`an entry of the upstream's listing holds no endpoint: ${message}`));
      if (unreadable.length > MAX_ENTRIES) throw tooMany();
    };
    const endpoints = await inTimeAndContext({ request: `GET ${url}`, timeoutMs, signal }, headers, async (limited) => {
      // Time spent here counts against timeoutMs.
      for (const [name, value] of await headersOfThisPoll()) headers.set(name, value);
      return readEndpoints(await askListing(url, { headers, tls }, limited), onSkipped);
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
      throw new ListingError('unreachable', `no headers to ask with: ${withReason(error).message}`);
    }
  }
}

function tooMany(server = ''): ListingError {
  return new ListingError('too-large', `${server}the listing has more than ${String(MAX_ENTRIES)} entries`);
}

/** Without the cause, which may contain a piece of the body. */
function withoutCause({ kind, message, code, errorNum, errorMessage }: ListingError): ListingError {
  // errorNum 9 with status 501: the reference server's response in any other role.
  const note = code === 501 && errorNum === 9 ? ' (the server is no Coordinator)' : '';
  return new ListingError(kind, message + note, { code, errorNum, errorMessage });
}
