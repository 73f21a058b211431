import { createPolledDirectory, createTranslatedDirectory } from '../../lib/directory/index.js';
import * as parse from '../../lib/endpoint/parse.js';
import { createHealthDirectory } from '../../lib/health/index.js';
import { until } from '../support/until.js';

jest.mock('../../lib/endpoint/parse.js', () => {
  const actual = jest.requireActual<typeof parse>('../../lib/endpoint/parse.js');
  return { ...actual, parseEndpoint: jest.fn(actual.parseEndpoint) };
});
const parses = jest.mocked(parse.parseEndpoint);

const namesOf = (count: number, round = 0): string[] =>
  Array.from({ length: count }, (_, index) => `tcp://c${String(index)}.r${String(round)}.example:8529`);

describe('A list that changes whole', () => {
  it.each([20, 1500])(
    'is parsed once where it is read, once where it is checked, and not for a record: %d',
    async (count) => {
      let list = namesOf(count);
      const source = await createPolledDirectory({ read: () => list, pollIntervalMs: 1 });
      const healthy = await createHealthDirectory({ endpoints: source, check: () => Promise.resolve() });
      const translated = createTranslatedDirectory({ endpoints: healthy, rules: { '*': 'ssl://lb.example:443' } });
      parses.mockClear();
      list = namesOf(count, 1);
      await until('the new list is healthy', () => healthy.provider().join() === [...list].sort().join());
      expect(parses).toHaveBeenCalledTimes(2 * count);
      await until('it is translated', () => translated.status().healthy === count);
      expect(translated.provider()).toEqual(['ssl://lb.example:443']);
      for (const directory of [translated, healthy, source]) await directory.close();
    },
  );

  it('is parsed once for each rule and each address where the rules change', async () => {
    const rules = Object.fromEntries(namesOf(20).map((name, index) => [name, `ssl://db${String(index)}.example:443`]));
    const directory = createTranslatedDirectory({ endpoints: namesOf(20), rules: { '*': 'ssl://lb.example:443' } });
    parses.mockClear();
    directory.replaceRules(rules);
    expect(parses).toHaveBeenCalledTimes(40);
    expect(directory.status()).toMatchObject({ count: 20, skipped: 0 });
    await directory.close();
  });
});
