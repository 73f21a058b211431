import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What 1,000 requests that wait for one provider call of 50 ms cost. */
export interface Waiting {
  readonly calls: number;
  readonly bytesPerRequest: number;
  readonly faults: readonly string[];
}

/** Measures in a fresh process: our router with `coalesce`, or the least that an Express handler needs to do the same. */
export async function measureWaiting(host: 'router' | 'express'): Promise<Waiting> {
  const child = fork(fileURLToPath(new URL('waiting-worker.js', import.meta.url)), [host], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [result] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [Waiting];
  if (result.faults.length > 0) throw new Error(`a wrong answer to a waiting request: ${String(result.faults[0])}`);
  return result;
}
