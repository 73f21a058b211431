import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { conclude, numbersFrom } from './command-line.js';
import type { Order, State } from './checked-list-host.js';

/**
 * `npm run hostile -- checked-list`: how fast a list is served by a process that checks many endpoints meanwhile, against the same process
 * while it rests. Both by turns, so that whatever slows the machine down hits both; a ratio is taken within each pair of turns.
 */
const { endpoints, pairs, seconds, connections } = numbersFrom(process.argv.slice(2), {
  endpoints: 1000,
  pairs: 20,
  seconds: 2,
  connections: 32,
});

/** The part of autocannon that is used here; the package has no types. */
type Autocannon = (options: { url: string; connections: number; duration: number; expectBody: string }) => Promise<{
  requests: { total: number };
  /** Seconds. */
  duration: number;
  /** ms. */
  latency: { p50: number; p99: number };
  errors: number;
  non2xx: number;
  mismatches: number;
}>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;
const BODY = JSON.stringify({
  error: false,
  code: 200,
  endpoints: ['ssl://db1.example:443', 'ssl://db2.example:443', 'ssl://db3.example:443'].map((endpoint) => ({
    endpoint,
  })),
});

/** What one turn took. */
interface Turn {
  readonly requestsPerSecond: number;
  /** Processor time of the host, in µs. */
  readonly cpuPerRequest: number;
  readonly p50: number;
  readonly p99: number;
}

const many = new URL('../../__tests__/support/gateway/many-servers.mjs', import.meta.url);
const servers = fork(many, [String(endpoints)], { execArgv: [] });
const [ports] = (await once(servers, 'message')) as [number[]];
const host = fork(new URL('./checked-list-host.js', import.meta.url), {
  execArgv: [],
  env: { ...process.env, NODE_ENV: 'production' },
});
// In the order of a directory, in which text sorts, so that the same three are first in both.
let state = await tell(ports.map((port) => `tcp://127.0.0.1:${String(port)}`).sort());
const url = `http://127.0.0.1:${String(state.port)}/_api/cluster/endpoints`;

async function tell(message: Order | readonly string[]): Promise<State> {
  host.send(message);
  const [answer] = (await once(host, 'message')) as [State];
  return answer;
}

const faults: string[] = [];
async function turn(order: Order): Promise<Turn> {
  await tell(order);
  // The checks are spread over the first interval.
  await sleep(200);
  state = await tell('say');
  const load = { url, connections, duration: seconds, expectBody: BODY };
  const { requests, duration, latency, ...wrong } = await autocannon(load);
  const { cpu } = await tell('say');
  const { errors, non2xx, mismatches } = wrong;
  // On a machine that stands still: nothing to compare.
  if (requests.total === 0) return turn(order === 'check' ? 'say' : order);
  if (errors + non2xx + mismatches > 0)
    faults.push(`wrong answers, ${order}: ${JSON.stringify({ errors, non2xx, mismatches })}`);
  const { p50, p99 } = latency;
  return { requestsPerSecond: requests.total / duration, cpuPerRequest: (cpu - state.cpu) / requests.total, p50, p99 };
}

await turn('rest');
await turn('check');
const turns: { rest: Turn; check: Turn }[] = [];
for (let pair = 0; pair < pairs; pair += 1) {
  const order = pair % 2 === 0 ? (['rest', 'check'] as const) : (['check', 'rest'] as const);
  const [first, second] = [await turn(order[0]), await turn(order[1])];
  turns.push(pair % 2 === 0 ? { rest: first, check: second } : { rest: second, check: first });
}
for (const child of [host, servers]) await ended(child);

async function ended(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

/** The value below which a part of the values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round(part * (sorted.length - 1))] ?? NaN;
}

const shown = (value: number): number => Number(value.toFixed(3));
const figures = Object.fromEntries(
  (['requestsPerSecond', 'cpuPerRequest', 'p50', 'p99'] as const).map((name) => {
    const ratios = turns.map(({ rest, check }) => check[name] / rest[name]);
    const median = (of: 'rest' | 'check'): number =>
      shown(
        quantile(
          turns.map((pair) => pair[of][name]),
          0.5,
        ),
      );
    const ratio = {
      median: shown(quantile(ratios, 0.5)),
      from: shown(quantile(ratios, 0.1)),
      to: shown(quantile(ratios, 0.9)),
    };
    return [name, { resting: median('rest'), checking: median('check'), ratio }];
  }),
);
console.log(`node ${process.versions.node}, ${String(cpus()[0]?.model.trim())}, ${String(cpus().length)} cores`);
conclude(`a list beside the checks of ${String(endpoints)} endpoints`, figures, faults);
