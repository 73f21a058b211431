import { oneOf, optional } from './rules.js';
import type { OptionRule } from './read-options.js';

/** Which listing of a server is requested. */
export interface ListingRoute {
  /**
   * `cluster` requests `GET /_api/cluster/endpoints`, `server` requests `GET /_api/endpoint`.
   * @defaultValue `'cluster'`
   */
  readonly listing?: 'cluster' | 'server';
  /**
   * The database, for the path `/_db/<database>`.
   * @defaultValue no such prefix, which means `_system` to servers
   */
  readonly database?: string;
}

const DATABASE: OptionRule<string> = {
  allowed: 'a database name',
  read: (value) => (isDatabaseName(value) ? value : undefined),
};

/** URLs drop `.` and `..`, also percent-encoded, and have no form for half a surrogate pair. */
export function isDatabaseName(value: unknown): value is string {
  return typeof value === 'string' && !['', '.', '..'].includes(value) && !/\p{Cs}/u.test(value);
}

/** The rules of {@link ListingRoute}. */
export const LISTING_ROUTE = { listing: oneOf(['cluster', 'server'], 'cluster'), database: optional(DATABASE) };
