import { shown } from '../endpoint/syntax-error.js';

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

/** The longest delay that `setTimeout` keeps; a longer one would fire at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

interface Rule {
  readonly accepts: (value: unknown) => boolean;
  readonly allowed: string;
}

const RULES: Readonly<Record<keyof FetchEndpointsOptions, Rule>> = {
  listing: { accepts: (value) => value === 'cluster' || value === 'server', allowed: '"cluster" or "server"' },
  database: { accepts: isDatabaseName, allowed: 'a database name' },
  headers: { accepts: isHeaders, allowed: 'a Headers object or an object of valid header names and values' },
  signal: { accepts: (value) => value instanceof AbortSignal, allowed: 'an AbortSignal' },
  timeout: {
    accepts: (value) => value === Infinity || (typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT_MS),
    allowed: `a number of milliseconds above 0, up to ${String(MAX_TIMEOUT_MS)}, or Infinity`,
  },
  maxBytes: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    allowed: 'a positive integer of bytes',
  },
  fetch: { accepts: (value) => typeof value === 'function', allowed: 'a function' },
};

const NAMES = Object.keys(RULES);

/**
 * The options as given, once each is known to be right.
 *
 * @throws TypeError that names the option, the value and what is allowed.
 */
export function checkedOptions(options: FetchEndpointsOptions): FetchEndpointsOptions {
  assertPlainObject(options);
  for (const name of Reflect.ownKeys(options)) {
    if (!isOptionName(name)) throw new TypeError(`unknown option ${String(name)}; allowed are ${NAMES.join(', ')}`);
    const { accepts, allowed } = RULES[name];
    const value = options[name];
    if (!accepts(value)) throw new TypeError(`option ${name} must be ${allowed}, got ${shownValue(name, value)}`);
  }
  return { ...options };
}

/** Anything else, a signal above all, would be taken for no options at all. */
function assertPlainObject(value: unknown): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) return;
  }
  throw new TypeError(`the options must be a plain object, got ${shown(value)}`);
}

function isOptionName(name: string | symbol): name is keyof FetchEndpointsOptions {
  return Object.hasOwn(RULES, name);
}

/** Never what headers hold, which may be a secret. */
function shownValue(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return name === 'headers' && typeof value === 'string' ? 'a string' : shown(value);
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
