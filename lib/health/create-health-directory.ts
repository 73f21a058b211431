import { CheckedDirectory, type HealthDirectory } from './health-directory.js';
import { readHealthOptions, type HealthDirectoryOptions } from './options.js';

/**
 * Opens a directory that keeps the dead off another one's list, or off a fixed list: it checks every endpoint again and again.
 *
 * Resolves after the first round, in which one check decides for each endpoint, or after `connectTimeoutMs`. An endpoint that joins later, or
 * was never up, is listed after one good check; one that was up goes off the list after `fall` failed checks in a row and comes back after
 * `rise` good ones. A check that is interrupted by `close()` or by a change of the list does not count.
 *
 * @throws TypeError for options that are refused, naming the option, the value and what is allowed.
 * @throws The reason of `options.signal` when that aborts first.
 * @throws An http-error 503 with `errorNum` 1478 when the given directory is expired or closed.
 */
export async function createHealthDirectory(options: HealthDirectoryOptions): Promise<HealthDirectory> {
  return new CheckedDirectory(readHealthOptions(options)).open();
}
