import { setImmediate as turn } from 'node:timers/promises';
import { createPolledDirectory, createTranslatedDirectory, type DirectoryRules } from '../../lib/directory/index.js';
import * as parse from '../../lib/endpoint/parse.js';
import { createHealthDirectory } from '../../lib/health/index.js';

jest.mock('../../lib/endpoint/parse.js', () => {
  const actual = jest.requireActual<typeof parse>('../../lib/endpoint/parse.js');
  return { ...actual, parseEndpoint: jest.fn(actual.parseEndpoint) };
});
const parses = jest.mocked(parse.parseEndpoint);

const namesOf = (count: number, round = 0): string[] =>
  Array.from({ length: count }, (_, index) => `tcp://c${String(index)}.r${String(round)}.example:8529`);

const BALANCER = 'ssl://lb.example:443';

/**
 * Changes a list whole whose endpoints are checked and translated, and closes all in the end, or two turns of the event loop after so
 * many directories have it. Says how many turns later each directory has it, how often something is parsed, at most in one turn, and
 * what comes late.
 */
async function changed(count: number, rules: DirectoryRules, closeAt = Infinity) {
  let [list, turns, parsed, most] = [namesOf(count), 0, 0, 0];
  const next = [...namesOf(count, 1), 'nonsense'];
  const hasIt: (number | undefined)[] = [];
  const read = (): string[] => {
    if (list === next) hasIt[0] ??= turns;
    return list;
  };
  const check = jest.fn(() => turn());
  const source = await createPolledDirectory({ read, pollIntervalMs: 1 });
  const times = { timeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const checked = await createHealthDirectory({ endpoints: source, check, ...times });
  const translated = createTranslatedDirectory({ endpoints: checked, rules });
  const directories = [source, checked, translated];
  for (const directory of directories) directory.once('entries', () => hasIt.push(turns));
  list = next;
  while (turns - (hasIt[closeAt - 1] ?? turns) < 2 && !(hasIt.length === 4 && translated.status().healthy === count)) {
    parses.mockClear();
    await turn();
    turns += 1;
    parsed += parses.mock.calls.length;
    most = Math.max(most, parses.mock.calls.length);
  }
  const listed = translated.provider();
  await Promise.all(directories.map((directory) => directory.close()));
  for (const late of [parses, check]) late.mockClear();
  for (let more = 0; more < 100; more += 1) await turn();
  return { listed, hasIt, parsed, most, late: [...parses.mock.calls, ...check.mock.calls] };
}

describe('A list that changes whole', () => {
  it.each([20, 1500])(
    'is parsed once where it is read, once where it is checked, and not for a record: %d',
    async (count) => {
      const { listed, parsed } = await changed(count, { '*': BALANCER });
      expect([listed, parsed]).toEqual([[BALANCER], 2 * count + 1]);
    },
  );

  it('is read, lined up for checks and translated in many turns of the event loop each, until it is closed', async () => {
    const { hasIt, parsed, most } = await changed(3000, () => BALANCER);
    expect(parsed).toBe(12_001);
    expect(most).toBeLessThanOrEqual(1500);
    for (const [index, before] of hasIt.slice(0, -1).entries()) {
      expect(Number(hasIt[index + 1]) - Number(before)).toBeGreaterThanOrEqual(5);
      const { late, hasIt: reached } = await changed(3000, () => BALANCER, index + 1);
      expect([reached.length, late]).toEqual([index + 1, []]);
    }
  });

  it('is parsed once for each rule and each address where the rules change', async () => {
    const rules = Object.fromEntries(namesOf(20).map((name, index) => [name, `ssl://db${String(index)}.example:443`]));
    const directory = createTranslatedDirectory({ endpoints: namesOf(20), rules: { '*': BALANCER } });
    parses.mockClear();
    directory.replaceRules(rules);
    expect(parses).toHaveBeenCalledTimes(40);
    expect(directory.status()).toMatchObject({ count: 20, skipped: 0 });
    await directory.close();
  });
});
