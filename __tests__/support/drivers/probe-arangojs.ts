import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROBE = join(__dirname, 'arangojs-probe.mjs');

/** A server to ask for the list. */
interface Job {
  readonly url: string;
  /** How long each call may take. */
  readonly limitMs: number;
  /** Whether the hosts that are got are sent requests in turn. */
  readonly inTurn: boolean;
}

/** What came of it: `ok`, `waits`, the error, or `its process ends: ` and the error. */
export interface Seen {
  readonly call: string;
  readonly hosts: readonly string[];
  readonly first: readonly string[];
  /** The same call once more, if the first one was ok. */
  readonly again: string;
  readonly hostsAgain: readonly string[];
  readonly second: readonly string[];
}

/**
 * Lets an arangojs ask one server after the other, in a process of its own.
 *
 * @param driver - The path of the driver, or its name.
 */
export async function probeArangojs(
  driver: string,
  jobs: readonly Job[],
  env: Readonly<Record<string, string>> = {},
): Promise<Seen[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROBE, driver, JSON.stringify(jobs)], {
    env: { ...process.env, ...env },
  });
  const lines = stdout.trim().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Seen);
}
