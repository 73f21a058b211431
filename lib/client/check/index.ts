import type { CheckEndpointsOptions } from './options.js';
import type { ListingCheck } from './result.js';

/**
 * Requests a server's listing as a driver would, and tries every endpoint on it from this machine: name, connection, TLS, HTTP, status, and
 * whether it lists the same endpoints. It tries at most 20 at a time, and leaves nothing running when the promise settles.
 *
 * The first call loads the code.
 *
 * @param url - The server, as for `fetchEndpoints`.
 * @example
 * ```ts
 * import { checkEndpoints } from 'express-endpoint-listing/client';
 *
 * const { ok, endpoints } = await checkEndpoints('http://db.example:8529', { timeoutMs: 1000 });
 * ```
 * @throws `ListingError` if there is no listing to check; its `kind` says why.
 * @throws The reason of `options.signal`, if that aborts.
 * @throws TypeError or `EndpointSyntaxError` for an invalid `url` or option, or an unknown driver, before anything is sent; also as a rejection.
 */
export async function checkEndpoints(url: string | URL, options: CheckEndpointsOptions = {}): Promise<ListingCheck> {
  const { checkListing } = await import('./check-listing.js');
  return checkListing(url, options);
}
