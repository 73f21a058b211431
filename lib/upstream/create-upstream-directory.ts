import type { EndpointDirectory } from '../directory/directory.js';
import { PolledDirectory } from '../directory/polled-directory.js';
import { readUpstreamOptions, type UpstreamDirectoryOptions } from './options.js';
import { UpstreamServers } from './upstream-servers.js';

/**
 * Opens a directory that polls the listing of an existing server: the members of a cluster that does not use this package.
 *
 * A poll uses the first usable response and begins with the server that answered last. If none answers, the list is stale and is still
 * served, for up to `maxStaleMs`. An empty listing counts after two in a row; an invalid entry is skipped. A body over 10,000,000 bytes,
 * more than 10,000 entries and a redirect are failures. No error, event or status contains a value of `headers` or a password.
 *
 * @example
 * ```ts
 * import { createUpstreamDirectory } from 'express-endpoint-listing/upstream';
 *
 * const directory = await createUpstreamDirectory({ servers: ['http://10.0.0.11:8529', 'http://10.0.0.12:8529'] });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws Error if there is no first list, with the reason in its message and as its `cause`: at once after a 401 or 403 or if all servers
 *   fail, otherwise after `connectTimeoutMs`. It does not retry.
 */
export async function createUpstreamDirectory(options: UpstreamDirectoryOptions): Promise<EndpointDirectory> {
  const settings = readUpstreamOptions(options);
  const servers = new UpstreamServers(settings);
  return new PolledDirectory(servers.list, settings, servers.hide).open('the upstream');
}
