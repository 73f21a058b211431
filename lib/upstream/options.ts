import { POLLED_DIRECTORY_RULES, type PollingOptions } from '../directory/options.js';
import { serverAddress, type ServerAddress } from '../endpoint/server-address.js';
import { HEADERS_SOURCE, type HeadersSource } from '../options/headers.js';
import { LISTING_ROUTE, type ListingRoute } from '../options/listing-route.js';
import { readItems, readOptions, type OptionRule } from '../options/read-options.js';
import { milliseconds, optional } from '../options/rules.js';
import { TLS, type TlsOptions } from '../options/tls.js';

/** Options of `createUpstreamDirectory`. Only `servers` is required; none may be `undefined`. */
export interface UpstreamDirectoryOptions extends PollingOptions, ListingRoute {
  /**
   * The servers, at least one: `http:` or `https:` URLs, whose path is kept and whose user and password become a Basic `Authorization` header,
   * or endpoints such as `tcp://10.0.0.11:8529`. They are tried in this order; a poll begins with the server that answered last.
   */
  readonly servers: readonly string[];
  /**
   * Headers of every request, or a function that returns them, sync or async, called once for every poll: for tokens that
   * expire. `Authorization` here wins over a user and password in a URL.
   * @defaultValue none
   */
  readonly headers?: HeadersSource;
  /**
   * The CA certificates to trust for `https:` URLs and `ssl:` endpoints, and the client certificate.
   * @defaultValue what Node trusts
   */
  readonly tls?: TlsOptions;
  /**
   * ms for one server's complete response.
   * @defaultValue 1000
   */
  readonly timeoutMs?: number;
}

/** The options, checked and prepared. */
export type UpstreamSettings = ReturnType<typeof readUpstreamOptions>;

const servers: OptionRule<readonly ServerAddress[]> = {
  allowed: 'an array of one or more http: or https: URLs or endpoints',
  read: (value, label) =>
    Array.isArray(value) && value.length > 0
      ? readItems(value, label, (url) => serverAddress(url as string))
      : undefined,
};
const RULES = {
  servers,
  ...LISTING_ROUTE,
  headers: HEADERS_SOURCE,
  tls: optional(TLS),
  timeoutMs: milliseconds(1, 1000),
  ...POLLED_DIRECTORY_RULES,
};

/** @throws TypeError naming the option, its value and what is allowed; no message holds a password. */
export function readUpstreamOptions(given: unknown) {
  return readOptions('createUpstreamDirectory', given, RULES);
}
