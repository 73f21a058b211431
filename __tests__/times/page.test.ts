import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

const SCRIPT = readFileSync(join(PACKAGE_FOLDER, 'lib/page/browser/listing-page.js'), 'utf8');

/** Runs the script of the page in a browser that has hardly anything; gives the delays that it asks for, in order. */
async function delaysOf(endpoints: readonly string[]): Promise<{ pauses: number[]; limits: number[] }> {
  const [pauses, limits]: number[][] = [[], []];
  const cells = endpoints.map((key) => ({ dataset: { try: 'cluster' }, closest: () => ({ dataset: { key } }) }));
  const document = {
    hidden: false,
    querySelectorAll: () => cells,
    body: {},
    getElementById: () => ({}),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  runInNewContext(SCRIPT, {
    document,
    location: new URL('http://127.0.0.1/'),
    URL,
    fetch: () => Promise.resolve({ ok: false, status: 500 }),
    DOMException,
    requestAnimationFrame: () => undefined,
    AbortSignal: { timeout: (ms: number) => limits?.push(ms) },
    // The first pause of both loops is over at once.
    setTimeout: (run: () => void, ms: number) => {
      pauses?.push(ms);
      if (Number(pauses?.length) <= 2) globalThis.setImmediate(run);
    },
  });
  for (let turns = 0; turns < 20 + endpoints.length; turns += 1) await setImmediate();
  return { pauses: pauses ?? [], limits: limits ?? [] };
}

describe('The listing page', () => {
  it('refreshes every 5 s, which is also the limit of a refresh, and tries each endpoint every 5 s, for 3 s', async () => {
    const { pauses, limits } = await delaysOf(['tcp://a:8529']);
    expect(pauses).toEqual([5000, 5000, 5000, 5000]);
    expect(limits.sort()).toEqual([3000, 3000, 5000]);
  });

  it('tries the endpoints of a long list after 60 ms for each', async () => {
    const { pauses } = await delaysOf(Array.from({ length: 100 }, (_, index) => `tcp://a:${String(8529 + index)}`));
    expect(pauses).toContain(6000);
  });
});
