import type { EndpointDirectory } from '../directory/directory.js';
import { readSrvOptions, type SrvDirectoryOptions } from './options.js';
import { SrvDirectory } from './srv-directory.js';

/**
 * Opens a directory whose list comes from DNS SRV records, by asking for them again and again: what Consul, headless Services
 * of Kubernetes and AWS Cloud Map offer. It lists only; registering is the business of the engine behind the DNS.
 *
 * Resolves with the first list in memory. A name without records gives an empty list, at the start as later, but only when
 * two answers running say so.
 *
 * @throws TypeError for options that are refused, naming the option, the value and what is allowed.
 * @throws Error when there is no first list, with the reason in its message and as its `cause`: at once when the question fails
 *   or the answer is refused, after `connectTimeoutMs` otherwise. Nothing is tried again.
 * @see RFC 2782
 */
export async function createSrvDirectory(options: SrvDirectoryOptions): Promise<EndpointDirectory> {
  const directory = new SrvDirectory(readSrvOptions(options));
  await directory.open();
  return directory;
}
