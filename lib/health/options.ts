import type { EndpointDirectory } from '../directory/directory.js';
import { entrySource } from '../directory/options.js';
import { isRequestPath } from '../endpoint/server-address.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { HEADERS_SOURCE, type HeadersSource } from '../options/headers.js';
import { readOptions, shownValue, type OptionRule } from '../options/read-options.js';
import { ABORT_SIGNAL, integer, milliseconds, oneOf, optional } from '../options/rules.js';
import { TLS, type TlsOptions } from '../options/tls.js';
import { addressFilter, type AddressFilter } from './address-filter.js';
import { httpCheck, tcpCheck, type Check } from './check.js';

/** Options of `createHealthDirectory`. Only `endpoints` is required; none may be `undefined`. */
export interface HealthDirectoryOptions {
  /** A fixed list of Coordinators, or a directory, whose changes and states pass through. Closing the one leaves the other open. */
  readonly endpoints: readonly string[] | EndpointDirectory;
  /**
   * What makes an endpoint healthy. `{ path }`: an HTTP GET that is answered with a status below 500. `'tcp'`: a
   * connection, for `ssl` endpoints with a TLS handshake, is enough. A function of your own: it resolves; it should end
   * when `signal` aborts.
   * @defaultValue `{ path: '/_admin/server/availability' }`
   */
  readonly check?: { readonly path: string } | 'tcp' | ((endpoint: Endpoint, signal: AbortSignal) => Promise<unknown>);
  /**
   * How to trust `ssl` endpoints, and what to show them.
   * @defaultValue what Node trusts
   */
  readonly tls?: TlsOptions;
  /**
   * Headers of every HTTP check, or a function that gives them, sync or async, called before each: for tokens that
   * expire. Every endpoint of the list gets them: see `allow`.
   * @defaultValue none
   */
  readonly headers?: HeadersSource;
  /**
   * Where checks may connect to: IP addresses and CIDR ranges (`10.0.0.0/8`, `fd00::/8`), or a function that returns
   * `true` for an address that is allowed. Host names are resolved first. An endpoint elsewhere is never healthy. Not
   * for a check of your own, which connects by itself.
   * @defaultValue anywhere
   */
  readonly allow?: readonly string[] | ((address: string, endpoint: Endpoint) => boolean);
  /**
   * ms from the end of one check of an endpoint to the next, less up to a tenth, at random, and less what checks had to wait for their
   * turn, up to two thirds.
   * @defaultValue 5000
   */
  readonly intervalMs?: number;
  /**
   * ms that one check may take.
   * @defaultValue 1000
   */
  readonly timeoutMs?: number;
  /**
   * ms for the first round, in which one check decides for each endpoint.
   * @defaultValue 5000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How many failed checks in a row take an endpoint off the list, 1 to 100.
   * @defaultValue 3
   */
  readonly fall?: number;
  /**
   * How many good checks in a row put it back, 1 to 100.
   * @defaultValue 2
   */
  readonly rise?: number;
  /**
   * What the list is while no endpoint is healthy. `all`: the whole list, as clients fail over from a dead server but
   * not from an empty list. `none`: empty. `fail`: the provider throws an http-error 503 with `errorNum` 1478.
   * @defaultValue `'all'`
   */
  readonly whenNoneHealthy?: 'all' | 'none' | 'fail';
  /**
   * How many checks may run at the same time, 1 to 10000.
   * @defaultValue 50
   */
  readonly maxConcurrent?: number;
  /** Aborting it during the first round ends the opening with the signal's reason; it means nothing once the directory is open. */
  readonly signal?: AbortSignal;
}

/** The options, checked and prepared. */
export type HealthSettings = ReturnType<typeof readHealthOptions>;

const CALLER = 'createHealthDirectory';

const check: OptionRule<NonNullable<HealthDirectoryOptions['check']>> = {
  allowed: "'tcp', an object with a path, as { path: '/status' }, or a function",
  fallback: { path: '/_admin/server/availability' },
  show: (value) => {
    const path = pathOf(value);
    return path === undefined ? shownValue(value) : `{ path: ${shownValue(path)} }`;
  },
  read: (value) => {
    if (value === 'tcp' || typeof value === 'function') return value as NonNullable<HealthDirectoryOptions['check']>;
    const path = pathOf(value);
    return isRequestPath(path) ? { path } : undefined;
  },
};
const allow: OptionRule<AddressFilter> = {
  allowed: 'an array of one or more IP addresses or CIDR ranges, or a function',
  read: (value, label) => addressFilter(value, label),
};
const RULES = {
  endpoints: entrySource,
  check,
  tls: optional(TLS),
  headers: HEADERS_SOURCE,
  allow: optional(allow),
  intervalMs: milliseconds(1, 5000),
  timeoutMs: milliseconds(1, 1000),
  connectTimeoutMs: milliseconds(1, 5000),
  fall: integer(1, 100, 3),
  rise: integer(1, 100, 2),
  whenNoneHealthy: oneOf(['all', 'none', 'fail'], 'all'),
  maxConcurrent: integer(1, 10_000, 50),
  signal: optional(ABORT_SIGNAL),
};

/** @throws TypeError naming the option, its value (its type, where that could be a secret) and what is allowed. */
export function readHealthOptions(given: unknown) {
  const { check, tls, headers, allow, ...settings } = readOptions(CALLER, given, RULES);
  if (typeof check === 'function' && allow !== undefined) {
    throw new TypeError(`${CALLER}: option allow must not be there with a check of your own, which connects by itself`);
  }
  return { ...settings, check: checkBy(check, { tls, headers, allow }) };
}

function checkBy(
  check: NonNullable<HealthDirectoryOptions['check']>,
  { headers, ...connecting }: Omit<Parameters<typeof httpCheck>[0], 'path'>,
): Check {
  if (typeof check === 'object') return httpCheck({ path: check.path, headers, ...connecting });
  if (check === 'tcp') return tcpCheck(connecting);
  return async (endpoint, signal) => {
    await check(endpoint, signal);
  };
}

function pathOf(value: unknown): unknown {
  return Object.keys(value ?? {}).join() === 'path' ? (value as { path: unknown }).path : undefined;
}
