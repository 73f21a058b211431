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

/** What a server answers at most, and how it answers half of that. */
export interface AtHalfLoad extends UnderLoad {
  /** Requests that came in a second, whether those before were answered or not. */
  readonly rate: number;
}

const OPEN_CONNECTIONS = 256;

/** Finds out what each server answers at most, and then asks it half as often, at moments that do not depend on its answers. */
export async function measureAtHalfLoad(variants: readonly Variant[], seconds: number): Promise<AtHalfLoad[]> {
  return underEach(variants, async (url, variant) => {
    const connections = OPEN_CONNECTIONS;
    await load(url, variant, { connections, duration: 1 });
    const { requestsPerSecond } = await load(url, variant, { connections, duration: seconds });
    const rate = Math.floor(requestsPerSecond / 2);
    const result = await load(url, variant, { connections, duration: seconds, overallRate: rate });
    return [{ name: nameOf(variant), connections, ...result, rate }];
  });
}

async function underEach<T>(
  variants: readonly Variant[],
  measure: (url: string, variant: Variant) => Promise<T[]>,
): Promise<T[]> {
  const results: T[] = [];
  for (const variant of variants) {
    const worker = await WorkerProcess.start(variant, process.execPath);
    try {
      results.push(...(await measure(await worker.url(), variant)));
    } finally {
      worker.stop();
    }
  }
  return results;
}
