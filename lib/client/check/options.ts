import { DATABASE } from '../../options/database.js';
import { HEADERS } from '../../options/headers.js';
import { readOptions, type OptionRule } from '../../options/read-options.js';
import { ABORT_SIGNAL, boolean, callback, oneOf, optional, timeLimit } from '../../options/rules.js';
import { TLS, type TlsOptions } from '../../options/tls.js';

/** How {@link checkEndpoints} asks. */
export interface CheckEndpointsOptions {
  /**
   * Which listing: `cluster` is `GET /_api/cluster/endpoints`, `server` is `GET /_api/endpoint`.
   * @defaultValue `'cluster'`
   */
  readonly listing?: 'cluster' | 'server';
  /**
   * The database to ask in, put into the path as `/_db/<database>`.
   * @defaultValue no such prefix, which servers take as `_system`
   */
  readonly database?: string;
  /**
   * Headers of every request, such as `Authorization`: a driver, too, shows its credentials to each endpoint that it takes from
   * a list. An endpoint without TLS gets none of them if the server that is asked has TLS.
   */
  readonly headers?: Headers | Readonly<Record<string, string>>;
  /**
   * How the servers' certificates are trusted, and what is shown to the servers.
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
   * Which drivers' view of the answer to give, as `drivers` of the result: `true` for all that are known, or names, `java`, with a
   * version if need be, `java@7.26`.
   * @defaultValue none
   */
  readonly drivers?: true | string | readonly string[];
  /** Ends the check; the promise then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Called whenever a result is there, with how many there are and how many there will be. */
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
  listing: oneOf(['cluster', 'server'], 'cluster'),
  database: optional(DATABASE),
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
