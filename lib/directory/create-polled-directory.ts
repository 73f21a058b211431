import { copyOf } from '../listing/lists.js';
import { readOptions } from '../options/read-options.js';
import { callback, milliseconds, TEXT } from '../options/rules.js';
import { within } from '../request/deadline.js';
import { errorOf } from '../text/reason.js';
import { shown } from '../text/shown.js';
import type { EndpointDirectory } from './directory.js';
import { POLLED_DIRECTORY_RULES, type PollingOptions } from './options.js';
import { PolledDirectory } from './polled-directory.js';

/** Reads the complete list of a registry once. */
type ReadRegistry = (signal: AbortSignal) => (Iterable<string> & object) | PromiseLike<Iterable<string> & object>;

/** Options of `createPolledDirectory`. Only `read` is required; none may be `undefined`. */
export interface PolledDirectoryOptions extends PollingOptions {
  /**
   * Reads the complete list once, sync or async: an array or another iterable of endpoints. It throws when it cannot, and should
   * end when the signal aborts: after `timeoutMs`, and when the directory is closed.
   */
  readonly read: ReadRegistry;
  /**
   * ms that one reading may take; one that takes longer has failed.
   * @defaultValue 5000
   */
  readonly timeoutMs?: number;
  /**
   * What is read, for messages: `Consul`.
   * @defaultValue `'the registry'`
   */
  readonly name?: string;
}

const RULES = {
  read: callback<ReadRegistry>(),
  timeoutMs: milliseconds(1, 5000),
  name: { ...TEXT, fallback: 'the registry' },
  ...POLLED_DIRECTORY_RULES,
};

/**
 * Opens a directory that polls a list which you read yourself: from your own registry, a file, a table.
 *
 * Resolves with the first list in memory. A failed reading makes the list `stale`; it is still served for up to `maxStaleMs`. An empty list
 * counts after two in a row; an invalid entry is skipped. Readings never overlap.
 *
 * @example
 * ```ts
 * import { createPolledDirectory } from 'express-endpoint-listing/directory';
 * import { readFile } from 'node:fs/promises';
 *
 * const directory = await createPolledDirectory({
 *   read: async (signal) => JSON.parse(await readFile('coordinators.json', { encoding: 'utf8', signal })) as string[],
 * });
 * ```
 * @throws `TypeError` for invalid options, naming the option, the value and what is allowed.
 * @throws `Error` if there is no first list, with the reason in its message and as its `cause`: at once if the reading fails, otherwise
 *   after `connectTimeoutMs`. It does not retry.
 * @throws The reason of `options.signal`, if that aborts first.
 */
export async function createPolledDirectory(options: PolledDirectoryOptions): Promise<EndpointDirectory> {
  const { read, timeoutMs, name, ...settings } = readOptions('createPolledDirectory', options, RULES);
  const directory = new PolledDirectory(async (signal) => {
    const given = await within(timeoutMs, signal, read).catch((thrown: unknown) => {
      throw errorOf(thrown, 'the function read');
    });
    const entries = copyOf(given, 'the function read').map(textOrError);
    return entries.length === 0 ? undefined : entries;
  }, settings);
  return directory.open(name);
}

function textOrError(entry: unknown): string | Error {
  return typeof entry === 'string' ? entry : new Error(`an entry is no text, but ${shown(entry)}`);
}
