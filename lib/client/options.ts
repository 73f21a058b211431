import { HEADERS, type HeadersLike } from '../options/headers.js';
import { LISTING_ROUTE, type ListingRoute } from '../options/listing-route.js';
import { readOptions, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, callback, optional, timeLimit } from '../options/rules.js';
import type { ListingError } from '../listing/listing-error.js';

/** The options of {@link fetchEndpoints}. */
export interface FetchEndpointsOptions extends ListingRoute {
  /** Headers of the request. `Authorization` here wins over a user and password in the URL. */
  readonly headers?: HeadersLike;
  /** Aborts the request; the promise then rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds until the response must be complete: above 0, up to 2147483647, or `Infinity` for no limit.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
  /**
   * The longest body that is read, in bytes after decompression: a positive integer. The default is enough for about 15,000 endpoints. A
   * larger value lets a hostile body block the process for longer while it is parsed.
   * @defaultValue 1000000
   */
  readonly maxBytes?: number;
  /**
   * Called for each entry without an endpoint, which is then skipped.
   * @defaultValue one such entry fails the whole listing
   */
  readonly onSkipped?: (reason: ListingError) => void;
  /**
   * The function that sends the request.
   * @defaultValue the global `fetch` at the time of the call
   */
  readonly fetch?: typeof globalThis.fetch;
}

const MAX_BYTES: OptionRule<number> = {
  allowed: 'a positive integer of bytes',
  fallback: 1_000_000,
  read: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined),
};
const RULES = {
  ...LISTING_ROUTE,
  headers: optional(HEADERS),
  signal: optional(ABORT_SIGNAL),
  timeoutMs: timeLimit(5000),
  maxBytes: MAX_BYTES,
  onSkipped: optional(callback<(reason: ListingError) => void>()),
  fetch: optional(callback<typeof globalThis.fetch>()),
};

/** The options with their defaults. */
export type FetchSettings = ReturnType<typeof fetchSettings>;

/** @throws `TypeError` that names the option, the value and what is allowed. */
export function fetchSettings(options: FetchEndpointsOptions) {
  return readOptions('fetchEndpoints', options, RULES);
}
