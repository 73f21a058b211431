import { getEventListeners, getMaxListeners } from 'node:events';
import { createListingPage } from '../../lib/page/index.js';
import { listenOn } from '../../lib/listen/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { healthDirectories } from '../support/health/health-directories.js';

const { serve, check, upstream } = healthDirectories();
const A = 'tcp://10.0.0.11:8529';
const PATIENT = { timeoutMs: 600_000, connectTimeoutMs: 600_000 };
const TWELVE = Array.from({ length: 12 });
const healthy = () => Promise.resolve();

// Node warns of a leak as soon as there are more listeners of one event than the limit.
describe('a dozen on one source stays within the number of listeners at which Node warns of a leak', () => {
  it('of directories with health checks, which give their places back', async () => {
    const source = await upstream(await serve([A]));
    const limit = source.getMaxListeners();
    const checked = await Promise.all(TWELVE.map(() => check(source, { check: healthy })));
    expect([source.listenerCount('entries'), source.getMaxListeners()]).toEqual([12, limit + 12]);
    for (const directory of checked) await directory.close();
    expect([source.listenerCount('entries'), source.getMaxListeners()]).toEqual([0, limit]);
  });

  it('of pages', async () => {
    const directory = await upstream(await serve([A]));
    const limit = directory.getMaxListeners();
    TWELVE.forEach(() => createListingPage({ endpoints: directory.provider, directory }));
    expect([directory.listenerCount('change'), directory.getMaxListeners()]).toEqual([12, limit + 12]);
    // A directory of the caller's own need not be an emitter of Node's.
    const on = jest.fn();
    createListingPage({ endpoints: [], directory: { on, status: () => directory.status() } });
    expect(on).toHaveBeenCalledTimes(1);
  });

  it('of a source without limits, which stays so', async () => {
    const source = await upstream(await serve([A]));
    source.setMaxListeners(0);
    await (await check(source, { check: healthy })).close();
    expect(source.getMaxListeners()).toBe(0);
  });

  it('of directories that open, and of servers that listen, with one signal', async () => {
    const { signal } = new AbortController();
    const limit = getMaxListeners(signal);
    // Newer versions of Node set none to a signal, and it stays so.
    const roomFor = (places: number): number => (limit === 0 ? 0 : limit + places);
    const listeners = () => getEventListeners(signal, 'abort').length;
    const { url } = await serve([A]);
    const opening = [
      ...TWELVE.map(() => createUpstreamDirectory({ servers: [url], signal, ...PATIENT })),
      ...TWELVE.map(() => check([A], { signal, check: healthy })),
    ];
    expect([listeners(), getMaxListeners(signal)]).toEqual([24, roomFor(24)]);
    for (const directory of await Promise.all(opening)) await directory.close();
    const listening = await Promise.all(TWELVE.map(() => listenOn(() => undefined, ['tcp://127.0.0.1:0'], { signal })));
    expect([listeners(), getMaxListeners(signal)]).toEqual([12, roomFor(12)]);
    for (const servers of listening) await servers.close();
    expect([listeners(), getMaxListeners(signal)]).toEqual([0, limit]);
  });
});
