import { EtcdDirectory } from './etcd-directory.js';
import type { LeasedDirectory } from './leased-directory.js';
import { type EtcdDirectoryOptions, etcdSettings } from './options.js';

/**
 * Opens a directory that etcd keeps: resolves when the list is complete and watched.
 *
 * @throws TypeError for options; Error when etcd refuses (at once: wrong password, no permission, no JSON gateway, TLS), or
 *   when no host has answered usably within `connectTimeoutMs`: the last failure.
 */
export async function createEtcdDirectory(options: EtcdDirectoryOptions): Promise<LeasedDirectory> {
  const directory = new EtcdDirectory(etcdSettings(options));
  await directory.open();
  return directory;
}
