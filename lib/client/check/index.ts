import type { CheckEndpointsOptions } from './options.js';
import type { ListingCheck } from './result.js';

export type { CheckEndpointsOptions } from './options.js';
export type { DriverCheck, DriverFinding } from '../../drivers/driver-checks.js';
export type { EndpointCheck, EndpointResult, ListingCheck, ListingWarning, ListingWarningKind } from './result.js';

/**
 * Asks a server for its listing as a driver would, and tries every endpoint on it from this machine: name, connection, TLS,
 * HTTP, status, and whether it lists the same endpoints. At most 20 are tried at a time, and nothing is left running when the
 * promise settles.
 *
 * What does all this is loaded at the first call.
 *
 * @param url - The server to ask, as `fetchEndpoints` takes it.
 * @throws `ListingError` when there is no listing to check; its `kind` says why.
 * @throws The reason of `options.signal` when that aborts.
 * @throws TypeError or `EndpointSyntaxError` when `url` or an option is wrong, or a driver is not known; then nothing is sent. These, too, come as a
 *   rejection.
 */
export async function checkEndpoints(url: string | URL, options: CheckEndpointsOptions = {}): Promise<ListingCheck> {
  const { checkListing } = await import('./check-listing.js');
  return checkListing(url, options);
}
