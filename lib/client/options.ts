import { checkOptions, withoutText, type OptionRules } from '../options/check-options.js';
import { TIME_LIMIT } from '../options/milliseconds.js';

/** How {@link fetchEndpoints} asks. */
export interface FetchEndpointsOptions {
  /** Which route: `cluster` is `GET /_api/cluster/endpoints`, `server` is `GET /_api/endpoint`. Default `cluster`. */
  readonly listing?: 'cluster' | 'server';
  /** The database to ask in, put into the path as `/_db/<database>`. Default: no such prefix, which servers take as `_system`. */
  readonly database?: string;
  /** Headers of the request. `Authorization` here wins over a user and password in the URL. */
  readonly headers?: Headers | Readonly<Record<string, string>>;
  /** Aborts the request; the promise then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer must be complete: above 0, up to 2147483647, or `Infinity` for no limit. Default 5000. */
  readonly timeout?: number;
  /** The longest body that is read, in bytes, after decompression: a positive integer. Default 10,000,000. */
  readonly maxBytes?: number;
  /** What sends the request. Default: the global `fetch` at the time of the call. */
  readonly fetch?: typeof globalThis.fetch;
}

const RULES: OptionRules<FetchEndpointsOptions> = {
  listing: { accepts: (value) => value === 'cluster' || value === 'server', allowed: '"cluster" or "server"' },
  database: { accepts: isDatabaseName, allowed: 'a database name' },
  headers: {
    accepts: isHeaders,
    allowed: 'a Headers object or an object of valid header names and values',
    // A header may be a secret.
    show: withoutText,
  },
  signal: { accepts: (value) => value instanceof AbortSignal, allowed: 'an AbortSignal' },
  timeout: TIME_LIMIT,
  maxBytes: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    allowed: 'a positive integer of bytes',
  },
  fetch: { accepts: (value) => typeof value === 'function', allowed: 'a function' },
};

/**
 * The options as given, once each is known to be right.
 *
 * @throws TypeError that names the option, the value and what is allowed.
 */
export function checkedOptions(options: FetchEndpointsOptions): FetchEndpointsOptions {
  checkOptions(options, RULES);
  return { ...options };
}

/** URLs drop `.` and `..`, also percent-encoded, and have no form for half a surrogate pair. */
function isDatabaseName(value: unknown): boolean {
  return typeof value === 'string' && !['', '.', '..'].includes(value) && !/\p{Cs}/u.test(value);
}

function isHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    new Headers(value as Record<string, string>);
    return true;
  } catch {
    // Without the reason, which would repeat the value.
    return false;
  }
}
