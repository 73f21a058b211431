import { coordinatorEndpoint } from '../endpoint/listable.js';
import type { OptionRule } from '../options/read-options.js';
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
  read: coordinatorEndpoints,
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

function coordinatorEndpoints(value: unknown, label: string): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return Array.from(value, (endpoint: string, index) => {
    try {
      return coordinatorEndpoint(endpoint);
    } catch (error) {
      throw new TypeError(`${label}[${String(index)}] is refused: ${(error as Error).message}`, { cause: error });
    }
  });
}
