import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';
import { readUpstreamOptions, type UpstreamDirectoryOptions } from './options.js';
import { UpstreamServers } from './upstream-servers.js';

/**
 * Opens a directory whose list is the listing of a server that is there, polled again and again: the members of a cluster that
 * knows nothing of this package.
 *
 * A poll takes the answer of the first server that gives a usable one and begins with the server that answered last. When none does, the
 * list is stale and is still served, for up to `maxStaleMs`. An empty listing counts when it comes twice in a row; an entry that is
 * no Coordinator's endpoint is skipped. A body over 10,000,000 bytes, a listing of more than 10,000 entries and a redirect count
 * as failures. No error, event or status holds a value of `headers` or a password.
 *
 * @throws TypeError for options that are refused, naming the option, the value and what is allowed.
 * @throws Error when there is no first list, with the reason in its message and as its `cause`: at once when a server answers 401 or 403 or when
 *   all servers have failed, after `connectTimeoutMs` otherwise. Nothing is tried again.
 */
export async function createUpstreamDirectory(options: UpstreamDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readUpstreamOptions(options);
  const servers = new UpstreamServers(settings);
  return new PolledDirectory((signal) => servers.list(signal), settings).open('the upstream');
}
