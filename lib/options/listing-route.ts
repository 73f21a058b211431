import { DATABASE } from './database.js';
import { oneOf, optional } from './rules.js';

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

/** The rules of {@link ListingRoute}. */
export const LISTING_ROUTE = { listing: oneOf(['cluster', 'server'], 'cluster'), database: optional(DATABASE) };
