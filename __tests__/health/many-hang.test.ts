import { createHealthDirectory, type HealthDirectory } from '../../lib/health/index.js';

const HANGING = Array.from({ length: 500 }, (_, index) => `tcp://hangs${String(index)}:8529`);
const [A, B] = ['tcp://a:8529', 'tcp://b:8529'] as const;
/** The most that may pass with the defaults: three checks, each 5 s after the end of the one before. */
const THREE_INTERVALS_MS = 15_000;

/** Answers at once, hangs, or refuses: as the test says, by host. */
const answers = new Map<string, 'hangs' | 'refuses'>();
let [running, most, areHanging] = [0, 0, true];
const check = ({ host }: { host: string }, signal: AbortSignal): Promise<void> => {
  most = Math.max(most, (running += 1));
  signal.addEventListener('abort', () => (running -= 1));
  const answer = answers.get(host) ?? (areHanging && host.startsWith('hangs') ? 'hangs' : 'answers');
  if (answer === 'hangs') return new Promise(() => undefined);
  return answer === 'refuses' ? Promise.reject(new Error('refused')) : Promise.resolve();
};

let directory: HealthDirectory;
beforeEach(async () => {
  jest.useFakeTimers();
  answers.clear();
  [running, most] = [0, 0];
  const opening = createHealthDirectory({ endpoints: [A, B, ...HANGING], check, connectTimeoutMs: 60_000 });
  await jest.advanceTimersByTimeAsync(60_000);
  directory = await opening;
});
afterEach(async () => {
  const closed = directory.close();
  await jest.advanceTimersByTimeAsync(1000);
  await closed;
  jest.useRealTimers();
});

describe('While 500 servers hang, on a clock that the test turns,', () => {
  it('a server that refuses is off the list within three intervals, and on it again within two', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(directory.provider()).toEqual([A, B]);
    answers.set('a', 'refuses');
    await jest.advanceTimersByTimeAsync(THREE_INTERVALS_MS);
    expect(directory.provider()).toEqual([B]);
    answers.delete('a');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(directory.provider()).toEqual([A, B]);
  });

  it('a server that begins to hang is off the list within three intervals and the time of three checks', async () => {
    answers.set('a', 'hangs');
    await jest.advanceTimersByTimeAsync(THREE_INTERVALS_MS + 3000);
    expect(directory.provider()).toEqual([B]);
  });

  it('one of those that hang is found again, after a round of all of them at most', async () => {
    const [host] = ['hangs499'];
    answers.set(host, 'refuses');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(directory.status().entries.find(({ source }) => source.includes(host))?.check?.reason).toBe('refused');
  });

  it.each([0, 0.5, 0.99])(
    'as they begin to, a server that refuses is off the list within three intervals: %d',
    async (phase) => {
      await directory.close();
      areHanging = false;
      let count = 0;
      jest.spyOn(Math, 'random').mockImplementation(() => (count += 0.01) % 1);
      const opening = createHealthDirectory({ endpoints: [A, B, ...HANGING], check });
      await jest.advanceTimersByTimeAsync(phase * 5000 + 10_000);
      directory = await opening;
      areHanging = true;
      answers.set('a', 'refuses');
      let ms = 0;
      for (; ms < 40_000 && directory.provider().includes(A); ms += 50) await jest.advanceTimersByTimeAsync(50);
      expect(ms).toBeLessThanOrEqual(THREE_INTERVALS_MS);
      jest.restoreAllMocks();
    },
  );

  it('there are never more checks at a time than maxConcurrent', () => expect(most).toBe(50));
});

it('Of 2,000 servers that go down together, each is reported, and the list is chosen some times only, as that costs in proportion to all of them', async () => {
  const endpoints = Array.from({ length: 2000 }, (_, index) => `tcp://c${String(index)}:8529`);
  let isSick = false;
  const together = (): Promise<void> => (isSick ? Promise.reject(new Error('sick')) : Promise.resolve());
  const opening = createHealthDirectory({ endpoints, check: together, fall: 1 });
  await jest.advanceTimersByTimeAsync(5000);
  const many = await opening;
  const counts = { down: 0, change: 0 };
  for (const event of ['down', 'change'] as const) many.on(event, () => (counts[event] += 1));
  isSick = true;
  await jest.advanceTimersByTimeAsync(6000);
  expect(many.status()).toMatchObject({ count: 2000, healthy: 0 });
  expect(counts.down).toBe(2000);
  // Checks begin 50 times in an interval, and each group is followed by two choices at most.
  expect(counts.change).toBeLessThanOrEqual(102);
  await many.close();
});
