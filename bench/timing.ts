import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BARE, COMPARED } from './count-plan.js';
import { dialogueOf } from './dialogue.js';
import { environmentText, type Node } from './environment.js';
import { print, writePart, type Table } from './results.js';
import { nameOf, type Variant } from './variant.js';

/** The part of autocannon that is used here; the package has no types. */
type Autocannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly amount: number;
  readonly expectBody: string;
}) => Promise<{
  /** Seconds. */
  readonly duration: number;
  readonly errors: number;
  readonly non2xx: number;
  readonly mismatches: number;
}>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** One after the other is asked that often, over loopback sockets; the first round is there to warm up. */
const [CONNECTIONS, REQUESTS] = [64, 10_000];

/** What a request took in one round, in microseconds: processor time of the server, and by the clock. */
interface Cost {
  readonly cpu: number;
  readonly time: number;
}

/** Measures on each version of Node, and writes the tables. Ratios are of one round, so what slows the machine down hits both sides. */
export async function runTimings(nodes: readonly Node[], rounds: number): Promise<void> {
  const tables: Table[] = [];
  for (const node of nodes) {
    const table = timeTable(node, await measure(node, rounds));
    print(table);
    tables.push(table);
  }
  const [load = NaN] = loadavg();
  const machine = `${environmentText(['express', 'fastify', 'autocannon'])}, load of the machine ${load.toFixed(1)}`;
  await writePart('Time', machine, tables);
}

/** Every variant once, without a table: shows that each runs, and that no answer is wrong. */
export async function runQuick([node]: readonly Node[]): Promise<void> {
  if (node !== undefined) await measure(node, 1);
  console.log('every answer was right');
}

/** A, B, C, then C, B, A, and so on; each in a process of its own. */
async function measure({ execPath }: Node, rounds: number): Promise<Map<string, Cost[]>> {
  const worker = fileURLToPath(new URL('server.js', import.meta.url));
  const env = { ...process.env, NODE_ENV: 'production' };
  const hosts: { variant: Variant; child: ChildProcess; url: string }[] = [];
  const costs = new Map(COMPARED.map((variant): [string, Cost[]] => [nameOf(variant), []]));
  try {
    for (const variant of COMPARED) {
      const child = fork(worker, [JSON.stringify(variant)], { execPath, execArgv: [], env });
      const [port] = (await once(child, 'message')) as [number];
      hosts.push({ variant, child, url: `http://127.0.0.1:${String(port)}${dialogueOf(variant).path}` });
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const { variant, child, url } of hosts) {
        const cost = await ask(child, url, variant);
        if (round > 0) costs.get(nameOf(variant))?.push(cost);
      }
      hosts.reverse();
    }
    return costs;
  } finally {
    for (const { child } of hosts) child.disconnect();
  }
}

async function ask(child: ChildProcess, url: string, variant: Variant): Promise<Cost> {
  const before = await cpuOf(child);
  const { body } = dialogueOf(variant);
  const result = await autocannon({ url, connections: CONNECTIONS, amount: REQUESTS, expectBody: body });
  const { duration, errors, non2xx, mismatches } = result;
  if (errors + non2xx + mismatches > 0)
    throw new Error(`wrong answers from ${nameOf(variant)}: ${JSON.stringify({ errors, non2xx, mismatches })}`);
  return { cpu: ((await cpuOf(child)) - before) / REQUESTS, time: (duration * 1e6) / REQUESTS };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [microseconds] = (await once(child, 'message')) as [number];
  return microseconds;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))] ?? NaN;

/** Each beside bare `node:http` in the same round: the median, and the range from the 10th to the 90th percentile. */
function timeTable({ version }: Node, costs: ReadonlyMap<string, readonly Cost[]>): Table {
  const bare = costs.get(nameOf(BARE)) ?? [];
  const rows = [...costs].map(([name, rounds]) => [
    name,
    quantile(
      rounds.map(({ cpu }) => cpu),
      0.5,
    ).toFixed(1),
    ...(['cpu', 'time'] as const).map((kind) => {
      const ratios = rounds.map((cost, round) => cost[kind] / (bare[round]?.[kind] ?? NaN));
      const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(ratios, share).toFixed(2));
      return `${String(middle)} (${String(low)}-${String(high)})`;
    }),
  ]);
  const head = ['', 'processor time, µs', '/ bare node:http', 'by the clock, / bare'];
  return { title: `Time of one request over sockets, Node ${version}`, rows: [head, ...rows] };
}
