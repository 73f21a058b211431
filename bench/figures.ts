import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verdict, type Limit, type Verdict } from './judge.js';
import { median } from './statistics.js';

/** A figure that is no ratio of two variants. */
export interface Figure {
  readonly figure: string;
  readonly value: number;
  /** `undefined` where nothing is promised. */
  readonly limit: Limit | undefined;
  readonly verdict: Verdict | undefined;
}

/** Start-up time, and the memory of 1,000 connections: idle ones, and such as wait for one provider call. */
export async function measureFigures(processes: number): Promise<Figure[]> {
  const startUp = await measureStartUp(processes);
  const router = await measureWaiting('router');
  const express = await measureWaiting('express');
  const bare = await measureWaiting('node:http');
  return [
    figure('ms to import() the package, Express loaded', startUp['import()'], 10),
    figure('ms to require() the package, Express loaded', startUp['require()'], 10),
    figure('provider calls for 1000 concurrent requests', router.calls, 1),
    figure('bytes per waiting request beyond Express', router.bytesPerRequest - express.bytesPerRequest, 4096),
    figure('bytes per waiting request beyond bare node:http', router.bytesPerRequest - bare.bytesPerRequest),
    figure('the same in Express without the router', express.bytesPerRequest - bare.bytesPerRequest),
    figure('bytes per idle connection beyond bare node:http', router.bytesPerIdle - bare.bytesPerIdle),
    figure('the same in Express without the router', express.bytesPerIdle - bare.bytesPerIdle),
  ];
}

/** A figure, judged if there is a limit. */
export function figure(name: string, value: number, atMost?: number): Figure {
  const limit = atMost === undefined ? undefined : { atMost };
  return { figure: name, value, limit, verdict: limit && verdict(value, limit, 0) };
}

/** Prints how many milliseconds the second import takes in a process that has the first. */
const MEASURE = {
  'import()': `
    await import('express');
    const before = performance.now();
    await import('express-endpoint-listing');
    console.log(performance.now() - before);`,
  'require()': `
    require('express');
    const before = performance.now();
    require('express-endpoint-listing');
    console.log(performance.now() - before);`,
} as const;

/** Milliseconds for loading the package where Express is loaded already: the median of some fresh processes, for each way. */
export async function measureStartUp(processes: number): Promise<Record<keyof typeof MEASURE, number>> {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const measure = async (way: keyof typeof MEASURE): Promise<number> => {
    const times: number[] = [];
    const inputType = way === 'import()' ? 'module' : 'commonjs';
    for (let count = 0; count < processes; count += 1) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [`--input-type=${inputType}`, '--eval', MEASURE[way]],
        { cwd },
      );
      times.push(Number(stdout));
    }
    return median(times);
  };
  return { 'import()': await measure('import()'), 'require()': await measure('require()') };
}

/** What 1,000 connections cost while they are idle, and while each has a request that waits for one provider call of 50 ms. */
export interface Waiting {
  readonly calls: number;
  readonly bytesPerRequest: number;
  readonly bytesPerIdle: number;
  readonly faults: readonly string[];
}

/** Measures in a fresh process: our router with `coalesce`, or the least that Express or Node needs to do the same. */
export async function measureWaiting(host: 'router' | 'express' | 'node:http'): Promise<Waiting> {
  const child = fork(fileURLToPath(new URL('waiting-worker.js', import.meta.url)), [host], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [result] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [Waiting];
  if (result.faults.length > 0) throw new Error(`a wrong answer to a waiting request: ${String(result.faults[0])}`);
  return result;
}
