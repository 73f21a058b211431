import * as fc from 'fast-check';
import { planInQuery, type Plan } from './figures.js';
import type { HostProcess } from './host-process.js';
import { KeepAliveClient, type Answer } from './keep-alive-client.js';
import { growthOf, remainsOf } from './remains.js';

/** How much there is to answer. */
export interface LoadOptions {
  readonly rounds: number;
  readonly requestsPerRound: number;
  readonly connections: number;
  readonly seed: number;
}

export interface LoadReport {
  /** How often each status came. */
  readonly answers: Readonly<Record<number, number>>;
  /** The heap in bytes after each round. */
  readonly heaps: readonly number[];
  readonly faults: readonly string[];
}

/** The `timeoutMs` for the host: longer than any delay of a provider. */
export const LOAD_TIMEOUT_MS = 400;

const delayMs = fc.integer({ min: 0, max: 200 });
const unnumberedPlan: fc.Arbitrary<Omit<Plan, 'port'>> = fc.oneof(
  { weight: 75, arbitrary: fc.record({ outcome: fc.constant('ok' as const), delayMs }) },
  { weight: 20, arbitrary: fc.record({ outcome: fc.constant('fail' as const), delayMs }) },
  { weight: 3, arbitrary: fc.record({ outcome: fc.constant('late' as const), delayMs }) },
  { weight: 2, arbitrary: fc.record({ outcome: fc.constant('hang' as const), delayMs }) },
);

/** Rounds of requests for a provider that takes its time, fails and hangs; each must get the one answer that fits. */
export async function load(host: HostProcess, options: LoadOptions): Promise<LoadReport> {
  const before = await host.figures();
  const answers: Record<number, number> = {};
  const heaps: number[] = [];
  const faults: string[] = [];

  for (let round = 0; round < options.rounds; round += 1) {
    const plans = plansOf(options.requestsPerRound, options.seed + round).values();
    const misfits = new Map<number, string>();
    const clients = await KeepAliveClient.openAll(host.port, options.connections);
    const work = async (client: KeepAliveClient): Promise<void> => {
      for (const planned of plans) {
        const answer = await client.ask(`/_api/endpoint${planInQuery(planned)}`);
        answers[answer.status] = (answers[answer.status] ?? 0) + 1;
        if (!fits(answer, planned)) misfits.set(planned.port, JSON.stringify({ planned, answer }));
      }
    };
    await Promise.all(clients.map(work));
    for (const client of clients) {
      if (client.surplus !== '') faults.push(`nobody asked for ${JSON.stringify(client.surplus)}`);
      client.close();
    }
    const { overdue } = await host.figures();
    for (const port of overdue) misfits.delete(port);
    faults.push(...misfits.values(), ...(await remainsOf(host, before)));
    heaps.push(await host.heap());
  }

  // In the first round the code of the host is compiled, and its caches are filled.
  const [first = 0, second = first] = heaps;
  return { answers, heaps, faults: [...faults, ...growthOf(second, heaps.at(-1) ?? 0)] };
}

/** The plans for a round; each has a port of its own. */
function plansOf(count: number, seed: number): Plan[] {
  return fc.sample(unnumberedPlan, { numRuns: count, seed }).map((plan, index) => ({ ...plan, port: index + 1 }));
}

const FAILED = '{"code":500,"error":true,"errorMessage":"internal error","errorNum":4}';
const TOO_SLOW = '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}';

function fits({ status, body }: Answer, { outcome, port }: Plan): boolean {
  if (outcome === 'ok') return status === 200 && body === `[{"endpoint":"http://10.0.0.1:${String(port)}"}]`;
  if (outcome === 'fail') return status === 500 && body === FAILED;
  return status === 503 && body === TOO_SLOW;
}
