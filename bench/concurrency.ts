import { openLoad } from './open-load.js';
import { load, type Load } from './sockets.js';
import { nameOf, type Variant } from './variant.js';
import { WorkerProcess } from './worker-process.js';

/** What a server does under load, over real sockets. */
export interface UnderLoad extends Load {
  readonly name: string;
  readonly connections: number;
}

const CONNECTIONS = [1, 64, 1000] as const;

/** Asks on few connections and on many, each as fast as it is answered. */
export async function measureConnections(variants: readonly Variant[], seconds: number): Promise<UnderLoad[]> {
  return underEach(variants, async (url, variant) => {
    const results: UnderLoad[] = [];
    for (const connections of CONNECTIONS) {
      // The first time is there to warm up.
      await load(url, variant, { connections, duration: 1 });
      const result = await load(url, variant, { connections, duration: seconds });
      results.push({ name: nameOf(variant), connections, ...result });
    }
    return results;
  });
}

/** How a server answers half of what it, or a slower one beside it, answers at most. */
export interface AtHalfLoad extends UnderLoad {
  /** What it answers in a second at most, on as many connections. */
  readonly most: number;
  /** Requests that were due in a second, whether those before were answered or not. */
  readonly rate: number;
  /** Microseconds of its processor time for one request. */
  readonly cpu: number;
  /** Calls of a slow provider for one request. */
  readonly calls: number;
}

/**
 * More than requests wait at a time: on a few, requests that wait for one call of a provider ask again in step, and nobody asks
 * while they wait.
 */
const OPEN_CONNECTIONS = 1000;

/**
 * Finds out what each server answers at most. Then those of one group are asked equally often, half as often as the slowest of them
 * can answer, at moments that do not depend on the answers.
 */
export async function measureAtHalfLoad(
  groups: readonly (readonly Variant[])[],
  seconds: number,
): Promise<AtHalfLoad[]> {
  const results: AtHalfLoad[] = [];
  for (const group of groups) {
    const maxima = await underEach(group, async (url, variant) => {
      const connections = OPEN_CONNECTIONS;
      await load(url, variant, { connections, duration: 1 });
      return [(await load(url, variant, { connections, duration: seconds })).requestsPerSecond];
    });
    const rate = Math.max(1, Math.floor(Math.min(...maxima) / 2));
    const answered = await underEach(group, async (url, variant, worker) => {
      const pace = { connections: OPEN_CONNECTIONS, rate };
      await openLoad(url, variant, { ...pace, seconds: 1 });
      const [cpuBefore, callsBefore] = [await worker.cpu(), await worker.calls()];
      const result = await openLoad(url, variant, { ...pace, seconds });
      const cpu = ((await worker.cpu()) - cpuBefore) / result.requests;
      const calls = ((await worker.calls()) - callsBefore) / result.requests;
      return [{ name: nameOf(variant), ...pace, ...result, cpu, calls }];
    });
    results.push(...answered.map((result, index) => ({ ...result, most: maxima[index] ?? NaN })));
  }
  return results;
}

async function underEach<T>(
  variants: readonly Variant[],
  measure: (url: string, variant: Variant, worker: WorkerProcess) => Promise<T[]>,
): Promise<T[]> {
  const results: T[] = [];
  for (const variant of variants) {
    const worker = await WorkerProcess.start(variant, process.execPath);
    try {
      results.push(...(await measure(await worker.url(), variant, worker)));
    } finally {
      worker.stop();
    }
  }
  return results;
}
