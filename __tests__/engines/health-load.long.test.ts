import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPackage } from '../support/package/built-package.js';
import { end } from '../support/process/child.js';

/** 60 s of checks at the default interval, or as many as LOAD_SECONDS says. */
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? 60);
const ENDPOINTS = 1000;

jest.setTimeout((SECONDS + 240) * 1000);

describe('Health checks of 1,000 endpoints at the default interval', () => {
  it(`take little of a core for ${String(SECONDS)} s, hold no memory, and leave no socket and no timer behind`, async () => {
    const { folder } = await builtPackage();
    const script = join(folder, '__health-load.mjs');
    await copyFile(join(__dirname, '../support/gateway/health-load.mjs'), script);
    const servers = fork(join(__dirname, '../support/gateway/many-servers.mjs'), [String(ENDPOINTS)]);
    const [ports] = (await once(servers, 'message')) as [number[]];

    // In a process of its own: what jest itself does is not counted.
    const checking = fork(script, [String(SECONDS)], { execArgv: ['--expose-gc'] });
    checking.send(ports.map((port) => `tcp://127.0.0.1:${String(port)}`));
    const [result] = (await once(checking, 'message')) as [Record<string, number>];
    await end(servers);
    const { share = NaN, growth = NaN, ...rest } = result;
    console.log(
      `${(share * 100).toFixed(1)} % of a core, heap ${growth.toFixed(1)} MB more after ${String(SECONDS)} s`,
    );
    expect(rest).toEqual({ down: 0, listedFirst: ENDPOINTS, listedLast: ENDPOINTS, left: 0 });
    // The aim is 5 % of a core of its own. One that is shared with other work counts more, for the same work.
    expect(share).toBeLessThan(0.15);
    expect(growth).toBeLessThan(5);
  });
});
