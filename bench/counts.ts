import { measureStartUp } from './start-up.js';
import { verdict, type Limit, type Verdict } from './verdict.js';
import { measureWaiting } from './waiting.js';

/** A figure that is no ratio of two variants. */
export interface Count {
  readonly figure: string;
  readonly value: number;
  readonly limit: Limit;
  readonly verdict: Verdict;
}

/** Start-up time, and what 1,000 requests that wait for one provider call cost beyond the same in bare Express. */
export async function measureCounts(processes: number): Promise<Count[]> {
  const startUp = await measureStartUp(processes);
  const router = await measureWaiting('router');
  const express = await measureWaiting('express');
  const count = (figure: string, value: number, atMost: number): Count => ({
    figure,
    value,
    limit: { atMost },
    verdict: verdict(value, { atMost }, 0),
  });
  return [
    count('ms to import() the package, Express loaded', startUp['import()'], 10),
    count('ms to require() the package, Express loaded', startUp['require()'], 10),
    count('provider calls for 1000 concurrent requests', router.calls, 1),
    count('bytes per waiting request beyond Express', router.bytesPerRequest - express.bytesPerRequest, 4096),
  ];
}
