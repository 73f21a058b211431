import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';
import { readSrvOptions, type SrvDirectoryOptions } from './options.js';
import { askForRecords, endpointTexts } from './srv-records.js';

/**
 * Opens a directory whose list comes from DNS SRV records, by asking for them again and again: what Consul, headless Services
 * of Kubernetes and AWS Cloud Map offer. It lists only; registering is the business of the registry behind the DNS.
 *
 * Resolves with the first list in memory. A name without records gives an empty list, at the start as later, but only after
 * two consecutive answers without records.
 *
 * An answer that does not fit into UDP is asked for again over TCP. Over TCP a server has 64 kB for its answer, and an answer
 * of about that size is refused, since it may have been cut. A server that is set up to cut answers over TCP far below that,
 * which no common one does, leaves a list that lacks what it cut: Node does not show the bit that says so.
 *
 * @throws TypeError for options that are refused, naming the option, the value and what is allowed.
 * @throws Error when there is no first list, with the reason in its message and as its `cause`: at once when the request fails
 *   or the answer is refused, after `connectTimeoutMs` otherwise. Nothing is tried again.
 * @throws The reason of `options.signal`, when that aborts first.
 * @see RFC 2782
 */
export async function createSrvDirectory(options: SrvDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readSrvOptions(options);
  const directory = new PolledDirectory(async (signal) => {
    const records = await askForRecords(settings, signal);
    // An answer that comes after the end is not looked at.
    signal.throwIfAborted();
    return records.length === 0 ? undefined : endpointTexts(records, settings);
  }, settings);
  return directory.open(`the SRV records of ${settings.name}`);
}
