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
  readonly requests: { readonly total: number };
  /** Seconds. */
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
  readonly mismatches: number;
}>;

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;
const CONNECTIONS = 64;

/**
 * Real sockets of the loopback interface, in turns. The load comes from this process, which is no faster than the servers that
 * it measures: the processor time of the server says more than the requests per second.
 */
export async function measureOnSockets(variants: readonly Variant[], turns: number): Promise<Course[]> {
  const hosts: { variant: Variant; worker: WorkerProcess; url: string }[] = [];
  try {
    for (const variant of variants) {
      const worker = await WorkerProcess.start(variant, process.execPath);
      const url = `http://127.0.0.1:${String(await worker.listen())}${dialogueOf(variant).path}`;
      hosts.push({ variant, worker, url });
    }
    // The first turn is there to warm up.
    const courses = await inTurns(hosts, turns + 1, async ({ variant, worker, url }) => {
      const cpuBefore = await worker.cpu();
      const load = { url, connections: CONNECTIONS, duration: 1, expectBody: dialogueOf(variant).body };
      const { requests, duration, errors, non2xx, mismatches } = await autocannon(load);
      const cpu = (await worker.cpu()) - cpuBefore;
      if (errors + non2xx + mismatches > 0 || requests.total === 0) {
        throw new Error(
          `wrong answers on sockets from "${nameOf(variant)}": ${JSON.stringify({ errors, non2xx, mismatches })}`,
        );
      }
      return { time: (duration * 1_000_000) / requests.total, cpu: cpu / requests.total };
    });
    return courses.map(({ variant, rounds }) => ({ variant, rounds: rounds.slice(1) }));
  } finally {
    for (const { worker } of hosts) worker.stop();
  }
}
