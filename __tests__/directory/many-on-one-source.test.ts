import { getMaxListeners } from 'node:events';
import { createListingPage } from '../../lib/page/index.js';
import { listenOn } from '../../lib/listen/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { healthDirectories } from '../support/health/health-directories.js';

const { serve, check, upstream } = healthDirectories();
const PATIENT = { timeoutMs: 600_000, connectTimeoutMs: 600_000 };
const TWELVE = Array.from({ length: 12 });
const warnings: Error[] = [];
const collect = (warning: Error): void => {
  warnings.push(warning);
};
beforeAll(() => process.on('warning', collect));
afterAll(() => process.off('warning', collect));
afterEach(async () => {
  // Node tells of a warning in the next tick.
  await new Promise(setImmediate);
  expect(warnings.splice(0)).toEqual([]);
});

describe('a dozen on one source makes Node warn of no leak', () => {
  it('of directories with health checks, which give their places back', async () => {
    const source = await upstream(await serve(['tcp://10.0.0.11:8529']));
    const limit = source.getMaxListeners();
    const checked = await Promise.all(TWELVE.map(() => check(source, { check: () => Promise.resolve() })));
    expect(source.listenerCount('change')).toBe(12);
    for (const directory of checked) await directory.close();
    expect([source.listenerCount('change'), source.getMaxListeners()]).toEqual([0, limit]);
  });

  it('of pages', async () => {
    const directory = await upstream(await serve(['tcp://10.0.0.11:8529']));
    TWELVE.forEach(() => createListingPage({ endpoints: directory.provider, directory }));
    expect(directory.listenerCount('change')).toBe(12);
  });

  it('of directories that open, and of servers that listen, with one signal', async () => {
    const { signal } = new AbortController();
    const limit = getMaxListeners(signal);
    const { url } = await serve(['tcp://10.0.0.11:8529']);
    const directories = TWELVE.map(() => createUpstreamDirectory({ servers: [url], signal, ...PATIENT }));
    const checked = TWELVE.map(() => check(['tcp://10.0.0.11:8529'], { signal, check: () => Promise.resolve() }));
    const listening = TWELVE.map(() => listenOn(() => undefined, ['tcp://127.0.0.1:0'], { signal }));
    for (const one of await Promise.all([...directories, ...checked, ...listening])) await one.close();
    expect(getMaxListeners(signal)).toBe(limit);
  });
});
