import { listingPath, serverAddress } from '../endpoint/server-address.js';
import { inTimeAndContext, requestHeaders } from '../listing/in-time.js';
import { withoutSecrets, type ListingError } from '../listing/listing-error.js';
import { answeredJson } from '../listing/read-answer.js';
import { readEndpoints } from '../listing/read-endpoints.js';
import { fetchSettings, type FetchEndpointsOptions } from './options.js';

/**
 * Fetches a server's listing: one GET, no redirect, no retry. It leaves nothing running when the promise settles.
 *
 * @param url - Where the router is mounted: an `http:` or `https:` URL, whose path is kept and whose user and password become a Basic
 *   `Authorization` header; or an endpoint from a listing, such as `tcp://[::1]:8529`. A missing port is 80 or 443 in a URL, and 8529 in
 *   any other endpoint. The global `fetch` refuses the bad ports of the Fetch Standard, such as 6000: a server there is `unreachable`, with
 *   the reason "bad port". Pass your own `fetch`, or use `checkEndpoints`, which can reach every port.
 * @returns The endpoints as {@link readEndpoints} reads them: as sent, in the order sent.
 * @throws {@link ListingError} if there is no listing; its `kind` says why.
 * @throws The reason of `options.signal`, if that aborts.
 * @throws TypeError or `EndpointSyntaxError` for an invalid `url` or option, before anything is sent; also as a rejection.
 */
export async function fetchEndpoints(url: string | URL, options: FetchEndpointsOptions = {}): Promise<string[]> {
  const {
    listing,
    database,
    timeoutMs,
    maxBytes,
    signal,
    headers,
    onSkipped,
    fetch = globalThis.fetch,
  } = fetchSettings(options);
  const { base, authorization } = serverAddress(url);
  const target = base + listingPath(listing, database);

  const request = `GET ${target}`;
  const sent = requestHeaders(headers, authorization);
  return inTimeAndContext({ request, timeoutMs, signal }, sent, async (signal) => {
    const response = await fetch(target, { headers: sent, redirect: 'manual', signal });
    const skip = onSkipped && ((reason: ListingError): void => onSkipped(withoutSecrets(reason, sent)));
    return readEndpoints(await answeredJson(response, maxBytes, signal), skip);
  });
}
