import { coordinatorEndpoint, readEachEndpoint } from '../endpoint/listable.js';
import { readItems, type OptionRule } from '../options/read-options.js';
import type { EndpointDirectory } from './directory.js';
import { ABORT_SIGNAL, milliseconds, millisecondsOrInfinity, optional } from '../options/rules.js';

/** Options of every directory that polls its registry. */
export interface PollingOptions {
  /**
   * ms from the end of one poll to the start of the next.
   * @defaultValue 5000
   */
  readonly pollIntervalMs?: number;
  /**
   * ms for the first list.
   * @defaultValue 5000
   */
  readonly connectTimeoutMs?: number;
  /**
   * ms for which the last list is served when there is no new one; then the provider throws. `Infinity`: forever; 0: not
   * at all.
   * @defaultValue 900000
   */
  readonly maxStaleMs?: number;
  /**
   * Endpoints that are always in the list: this server's own, as a server that answers is alive.
   * @defaultValue none
   */
  readonly include?: readonly string[];
  /** Aborting it while the directory opens ends that with the signal's reason; it means nothing once the directory is open. */
  readonly signal?: AbortSignal;
}

/** The same, checked and with their defaults. */
export type PolledDirectorySettings = Required<Omit<PollingOptions, 'signal'>> & {
  readonly signal: AbortSignal | undefined;
};

const include: OptionRule<readonly string[]> = {
  allowed: 'an array of the endpoints of Coordinators',
  read: (value, label) =>
    Array.isArray(value) ? readItems(value, label, (endpoint) => coordinatorEndpoint(endpoint as string)) : undefined,
  fallback: [],
};

/** The rules of {@link PollingOptions}. */
export const POLLED_DIRECTORY_RULES = {
  pollIntervalMs: milliseconds(1, 5000),
  connectTimeoutMs: milliseconds(1, 5000),
  maxStaleMs: millisecondsOrInfinity(0, 900_000),
  include,
  signal: optional(ABORT_SIGNAL),
};

/** Where the entries of a directory come from that stands behind another one. */
export const entrySource: OptionRule<readonly string[] | EndpointDirectory> = {
  allowed: 'an array of endpoints, or a directory',
  read: (value, label) => {
    if (Array.isArray(value)) {
      const canonical = readEachEndpoint(label, value as string[], coordinatorEndpoint);
      return Object.freeze([...new Set(canonical)].sort());
    }
    return isEndpointDirectory(value) ? value : undefined;
  },
};

function isEndpointDirectory(value: unknown): value is EndpointDirectory {
  const { provider, status, on, off } = (value ?? {}) as Partial<EndpointDirectory>;
  return [provider, status, on, off].every((method) => typeof method === 'function');
}
