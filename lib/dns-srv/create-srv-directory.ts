import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';
import { readSrvOptions, type SrvDirectoryOptions } from './options.js';
import { askForRecords, endpointTexts } from './srv-records.js';

/**
 * Opens a directory that polls DNS SRV records, as Consul, headless Services of Kubernetes and AWS Cloud Map publish them. It only lists
 * servers; the registry behind the DNS registers them.
 *
 * Resolves with the first list in memory. A name without records gives an empty list only after two consecutive empty responses.
 *
 * A response that does not fit into UDP is requested again over TCP. One of about 64 kB, the limit there, is refused, since it may be
 * truncated. Node does not show the truncation bit: a server that truncates far below that limit, as no common one does, shortens the list.
 *
 * @example
 * ```ts
 * import { createSrvDirectory } from 'express-endpoint-listing/dns-srv';
 *
 * const directory = await createSrvDirectory({ name: '_arangodb._tcp.coordinators.db.svc.cluster.local' });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws Error if there is no first list, with the reason in its message and as its `cause`: at once if the query fails or the response
 *   is refused, otherwise after `connectTimeoutMs`. It does not retry.
 * @throws The reason of `options.signal`, if that aborts first.
 * @see RFC 2782
 */
export async function createSrvDirectory(options: SrvDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readSrvOptions(options);
  const directory = new PolledDirectory(async (signal) => {
    const records = await askForRecords(settings, signal);
    // A response after the end is ignored.
    signal.throwIfAborted();
    return records.length === 0 ? undefined : endpointTexts(records, settings);
  }, settings);
  return directory.open(`the SRV records of ${settings.name}`);
}
