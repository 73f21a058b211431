import { CheckedDirectory, type HealthDirectory } from './health-directory.js';
import { readHealthOptions, type HealthDirectoryOptions } from './options.js';

/**
 * Opens a directory that keeps dead servers off another directory's list, or off a fixed list, by checking every endpoint regularly.
 *
 * Resolves after the first round, in which a single check decides for each endpoint, or after `connectTimeoutMs`. An endpoint that joins
 * later, or was never up, is listed after one successful check. One that was up is removed after `fall` failed checks in a row and restored
 * after `rise` successful ones. A check that `close()` or a change of the list interrupts does not count.
 *
 * @example
 * ```ts
 * import { createHealthDirectory } from 'express-endpoint-listing/health';
 *
 * const directory = await createHealthDirectory({ endpoints: ['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529'] });
 * ```
 * @throws TypeError for invalid options, naming the option, the value and what is allowed.
 * @throws The reason of `options.signal`, if that aborts first.
 * @throws An http-error 503 with `errorNum` 1478 if the given directory is expired or closed.
 */
export async function createHealthDirectory(options: HealthDirectoryOptions): Promise<HealthDirectory> {
  return new CheckedDirectory(readHealthOptions(options)).open();
}
