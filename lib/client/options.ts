import { kindOf, readOptions, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, callback, oneOf, optional, timeLimit } from '../options/rules.js';

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

/** A database that a path can name. */
export const DATABASE: OptionRule<string> = {
  allowed: 'a database name',
  read: (value) => (isDatabaseName(value) ? value : undefined),
};
/** Headers of a request; what they hold stays out of messages. */
export const HEADERS: OptionRule<Headers | Readonly<Record<string, string>>> = {
  allowed: 'a Headers object or an object of valid header names and values',
  // A header may be a secret.
  show: kindOf,
  read: (value) => (isHeaders(value) ? value : undefined),
};
const MAX_BYTES: OptionRule<number> = {
  allowed: 'a positive integer of bytes',
  fallback: 10_000_000,
  read: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined),
};
const RULES = {
  listing: oneOf(['cluster', 'server'], 'cluster'),
  database: optional(DATABASE),
  headers: optional(HEADERS),
  signal: optional(ABORT_SIGNAL),
  timeout: timeLimit(5000),
  maxBytes: MAX_BYTES,
  fetch: optional(callback<typeof globalThis.fetch>()),
};

/** The options with their defaults. */
export type FetchSettings = ReturnType<typeof fetchSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed. */
export function fetchSettings(options: FetchEndpointsOptions) {
  return readOptions('fetchEndpoints', options, RULES);
}

/** URLs drop `.` and `..`, also percent-encoded, and have no form for half a surrogate pair. */
function isDatabaseName(value: unknown): value is string {
  return typeof value === 'string' && !['', '.', '..'].includes(value) && !/\p{Cs}/u.test(value);
}

function isHeaders(value: unknown): value is Headers | Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    new Headers(value as Record<string, string>);
    return true;
  } catch {
    // Without the reason, which would repeat the value.
    return false;
  }
}
