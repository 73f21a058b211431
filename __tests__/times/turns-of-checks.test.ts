import { EventEmitter } from 'node:events';
import type { EndpointDirectory } from '../../lib/directory/index.js';
import { createHealthDirectory, type HealthDirectory, type HealthDirectoryOptions } from '../../lib/health/index.js';

const [A, B, C] = ['tcp://a:8529', 'tcp://b:8529', 'tcp://c:8529'] as const;

/** Takes so many ms, and fails then, or does not; by host. What is not in it is over at once, and well. */
const answers = new Map<string, readonly [ms: number, fails?: boolean]>();
/** When each was checked, in ms since the test began, by host. */
let times: Record<string, number[]>;
let [running, most] = [0, 0];
let directory: HealthDirectory;

async function check({ host }: { host: string }): Promise<void> {
  (times[host] ??= []).push(performance.now());
  most = Math.max(most, (running += 1));
  const [ms, fails = false] = answers.get(host) ?? [0];
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  running -= 1;
  if (fails) throw new Error(`${host} fails`);
}

const pass = async (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

async function open(
  endpoints: HealthDirectoryOptions['endpoints'],
  options: Partial<HealthDirectoryOptions> = {},
): Promise<void> {
  const opening = createHealthDirectory({ endpoints, check, ...options });
  await pass(0);
  directory = await opening;
}

beforeEach(() => {
  jest.useFakeTimers();
  // Half of the first interval; then 4.8 s, as a tenth of the 5 s is left to chance.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  answers.clear();
  [times, running, most] = [{}, 0, 0];
});
afterEach(async () => {
  await directory.close();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('An endpoint that stays is checked at its own times, whoever joins and leaves', async () => {
  let list: readonly string[] = [A, B];
  const source = Object.assign(new EventEmitter(), { provider: () => list, status: () => ({ state: 'live' }) });
  await open(source as unknown as EndpointDirectory);
  for (const next of [[A], [A, C]]) {
    await pass(1000);
    list = next;
    source.emit('change', list);
  }
  await pass(8000);
  expect(times).toEqual({ a: [0, 2500, 7300], b: [0], c: [2000, 4500, 9300] });
});

it.each<[what: string, answer: readonly [ms: number, fails?: boolean], at: number[]]>([
  [
    'is over at once is followed by the next after a third of an interval, until what it waited is made up for',
    [0],
    [0, 2500, 14_500, 15_900, 17_300, 21_500, 26_300, 31_100],
  ],
  ['takes all its time is followed by the next after an interval', [60_000], [0, 2500, 14_500, 31_300]],
])('A check that had to wait for its turn and %s', async (_what, answer, at) => {
  await open([A, B], { timeoutMs: 12_000, maxConcurrent: 1 });
  answers.set('b', [60_000]);
  await pass(10_000);
  answers.set('a', answer);
  await pass(5000);
  answers.delete('b');
  await pass(17_000);
  expect(times['a']).toEqual(at);
});

it.each<[what: string, answer: readonly [ms: number, fails: boolean], places: number]>([
  ['answer well, however late', [999, false], 5],
  ['fail in less than half of their time', [499, true], 5],
  ['fail after half of their time or later', [500, true], 4],
])('Servers that %s: %j have that many of five places: %d', async (_what, answer, places) => {
  await open([A, B, C, 'tcp://d', 'tcp://e'], { maxConcurrent: 5 });
  for (const host of ['a', 'b', 'c', 'd', 'e']) answers.set(host, answer);
  await pass(5000);
  most = 0;
  await pass(5000);
  expect(most).toBe(places);
});

it.each<[places: number, others: number, at: number[]]>([
  [5, 15, [0, 2500, 13_300]],
  [1, 3, [0, 2500, 16_900]],
])('A server that hangs has its turn at %d places, though %d others are slow: at %j', async (places, others, at) => {
  const hosts = Array.from({ length: others }, (_, index) => `other${String(index)}`);
  await open(['tcp://a', ...hosts.map((host) => `tcp://${host}`)].reverse(), {
    maxConcurrent: places,
    timeoutMs: 4000,
  });
  answers.set('a', [60_000]);
  await pass(7000);
  for (const host of hosts) answers.set(host, [3000]);
  await pass(10_000);
  expect(times['a']).toEqual(at);
});

it.each<[servers: number, off: number[]]>([
  [999, [2, 2, 2]],
  [1000, [1, 1, 2]],
])('Of %d servers two go down in one moment: %j are off the list then, 9 and 10 ms later', async (servers, off) => {
  await open(
    Array.from({ length: servers }, (_, index) => `tcp://c${String(index)}`),
    { fall: 1 },
  );
  for (const host of ['c0', 'c1']) answers.set(host, [0, true]);
  const seen: number[] = [];
  for (const ms of [2500, 9, 1]) {
    await pass(ms);
    seen.push(servers - directory.provider().length);
  }
  expect(seen).toEqual(off);
});
