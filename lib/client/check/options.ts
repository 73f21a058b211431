import { HEADERS } from '../../options/headers.js';
import { LISTING_ROUTE, type ListingRoute } from '../../options/listing-route.js';
import { readOptions, type OptionRule } from '../../options/read-options.js';
import { ABORT_SIGNAL, boolean, callback, optional, timeLimit } from '../../options/rules.js';
import { TLS, type TlsOptions } from '../../options/tls.js';

/** The options of {@link checkEndpoints}. */
export interface CheckEndpointsOptions extends ListingRoute {
  /**
   * Headers of every request, such as `Authorization`: a driver also sends its credentials to each listed endpoint. If the first server
   * uses TLS, endpoints without TLS get none of them.
   */
  readonly headers?: Headers | Readonly<Record<string, string>>;
  /**
   * The CA certificates to trust, and the client certificate.
   * @defaultValue the authorities that Node trusts
   */
  readonly tls?: TlsOptions;
  /**
   * Whether to accept any certificate, as `curl --insecure` does.
   * @defaultValue false
   */
  readonly insecure?: boolean;
  /**
   * Milliseconds for the listing, and again for each endpoint: above 0, up to 2147483647, or `Infinity`.
   * @defaultValue 2000
   */
  readonly timeoutMs?: number;
  /**
   * The drivers whose view of the response the result has as `drivers`: `true` for all known ones, or names, such as `java`, optionally with
   * a version, `java@7.26`.
   * @defaultValue none
   */
  readonly drivers?: true | string | readonly string[];
  /** Ends the check; the promise then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Called after each result, with the number of results so far and in total. */
  readonly onProgress?: (done: number, total: number) => void;
}

const DRIVERS: OptionRule<true | string | readonly string[] | undefined> = {
  allowed: "true, a driver such as 'java@7.26', or an array of drivers",
  fallback: undefined,
  read: (value) =>
    value === true || typeof value === 'string'
      ? value
      : Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
        ? Object.freeze([...value])
        : undefined,
};

const RULES = {
  ...LISTING_ROUTE,
  headers: optional(HEADERS),
  tls: optional(TLS),
  insecure: boolean(false),
  timeoutMs: timeLimit(2000),
  drivers: DRIVERS,
  signal: optional(ABORT_SIGNAL),
  onProgress: optional(callback<(done: number, total: number) => void>()),
};

/** The options with their defaults. */
export type CheckSettings = ReturnType<typeof checkSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed. */
export function checkSettings(options: unknown) {
  return readOptions('checkEndpoints', options, RULES);
}
