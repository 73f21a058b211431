import { createHealthDirectory, type HealthDirectory } from '../../lib/health/index.js';
import { turnedClock } from '../support/turned-clock.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const clock = turnedClock();
let isDead: boolean;
let checkedAt: number[];
let now: number;
let delaysAtFirst: number[];
let directory: HealthDirectory;

/** Time passes in small steps, so that each check knows when it was. */
async function pass(ms: number): Promise<void> {
  for (const end = now + ms; now < end; now += 50) await clock.turn(50);
}

beforeEach(async () => {
  [isDead, checkedAt, now] = [false, [], 0];
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  directory = await createHealthDirectory({
    endpoints: [A, B],
    check: ({ host }) => {
      if (host === '10.0.0.2') return Promise.resolve();
      checkedAt.push(now);
      return isDead ? Promise.reject(new Error('dead')) : Promise.resolve();
    },
  });
  delaysAtFirst = clock.delays();
  random.mockRestore();
});

afterEach(() => directory.close());

describe('A directory with health checks', () => {
  it('has 5 s for the first round, and 1 s for each check', () =>
    expect(delaysAtFirst).toEqual(expect.arrayContaining([1000, 5000])));

  it('checks each endpoint every 5 s, less by up to a tenth', async () => {
    await pass(120_000);
    // The second check is anywhere in the first interval.
    const waits = checkedAt.slice(2).map((at, index) => at - Number(checkedAt[index + 1]));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(4500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5000);
    expect(waits.length).toBeGreaterThan(20);
  });

  it('takes a dead server off the list at the third failed check, after 9 to 15 s, and puts it back at the second good one', async () => {
    await pass(10_000);
    const count = checkedAt.length;
    const diedAt = now;
    isDead = true;
    while (directory.provider().includes(A)) await pass(50);
    expect(checkedAt.length - count).toBe(3);
    expect(now - diedAt).toBeGreaterThanOrEqual(9000);
    expect(now - diedAt).toBeLessThanOrEqual(15_000);
    isDead = false;
    while (!directory.provider().includes(A)) await pass(50);
    expect(checkedAt.length - count).toBe(5);
  });
});
