import { listingPath, serverAddress } from '../endpoint/server-address.js';
import { inTimeAndContext, requestHeaders } from '../listing/in-time.js';
import { withoutSecrets, type ListingError } from '../listing/listing-error.js';
import { answeredJson } from '../listing/read-answer.js';
import { readEndpoints } from '../listing/read-endpoints.js';
import { fetchSettings, type FetchEndpointsOptions } from './options.js';

/**
 * Asks a server for its listing: one GET, no redirect, no retry. Nothing is left running when the promise settles.
 *
 * @param url - Where the router is mounted: an `http:` or `https:` URL, whose path is kept as the base path and whose user and
 *   password become a Basic `Authorization` header; or an endpoint as a listing holds it, such as `tcp://[::1]:8529`. As usual,
 *   a missing port means 80 or 443 in a URL and 8529 in any other endpoint. The global `fetch` refuses, as browsers do, the
 *   ports that the Fetch Standard calls bad, 6000 and 6665 among them: a server there is `unreachable`, and the reason is
 *   "bad port". Give a `fetch` of your own where one listens, or use `checkEndpoints`, which asks every port.
 * @returns The endpoints as {@link readEndpoints} reads them: as sent, in the order sent.
 * @throws {@link ListingError} when there is no listing; its `kind` says why.
 * @throws The reason of `options.signal` when that aborts.
 * @throws TypeError or `EndpointSyntaxError` when `url` or an option is wrong; then nothing is sent. These, too, come as a
 *   rejection.
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
    const skip =
      onSkipped &&
      ((reason: ListingError): void => {
        onSkipped(withoutSecrets(reason, sent));
      });
    return readEndpoints(await answeredJson(response, maxBytes, signal), skip);
  });
}
