import { createRequire } from 'node:module';
import { dialogueOf } from './dialogue.js';
import { inTurns, type Course } from './turns.js';
import { nameOf, type Variant } from './variant.js';
import { WorkerProcess } from './worker-process.js';

/** The part of autocannon that is used here; the package has no types. */
type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly expectBody: string;
}) => Promise<{
  /** Right answers; its `requests` count those that fell into a whole second. */
  readonly '2xx': number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Seconds. */
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
  readonly mismatches: number;
}>;

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;
const CONNECTIONS = 64;

/** What came of a load. */
export interface Load {
  readonly requestsPerSecond: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Asks a server of the loopback interface. A wrong answer throws. */
export async function load(
  url: string,
  variant: Variant,
  how: { readonly connections: number; readonly duration: number },
): Promise<Load> {
  const result = await autocannon({ ...how, url, expectBody: dialogueOf(variant).body });
  const { '2xx': requests, latency, duration, errors, non2xx, mismatches } = result;
  if (errors + non2xx + mismatches > 0) {
    const faults = JSON.stringify({ errors, non2xx, mismatches });
    throw new Error(`wrong answers on sockets from "${nameOf(variant)}": ${faults}`);
  }
  // On a machine that is busy with other things, a new process may need longer than a second for its first answer.
  if (requests === 0) return load(url, variant, how);
  return { requestsPerSecond: requests / duration, requests, p50: latency.p50, p99: latency.p99 };
}

/**
 * Real sockets of the loopback interface, in turns. The load comes from this process, which is no faster than the servers that
 * it measures: the processor time of the server says more than the requests per second.
 */
export async function measureOnSockets(variants: readonly Variant[], turns: number): Promise<Course[]> {
  const hosts: { variant: Variant; worker: WorkerProcess; url: string }[] = [];
  try {
    for (const variant of variants) {
      const worker = await WorkerProcess.start(variant, process.execPath);
      const url = await worker.url();
      hosts.push({ variant, worker, url });
    }
    // The first turn is there to warm up.
    const courses = await inTurns(hosts, turns + 1, async ({ variant, worker, url }) => {
      const cpuBefore = await worker.cpu();
      const { requests, requestsPerSecond } = await load(url, variant, { connections: CONNECTIONS, duration: 1 });
      const cpu = (await worker.cpu()) - cpuBefore;
      return { time: 1_000_000 / requestsPerSecond, cpu: cpu / requests };
    });
    return courses.map(({ variant, rounds }) => ({ variant, rounds: rounds.slice(1) }));
  } finally {
    for (const { worker } of hosts) worker.stop();
  }
}
