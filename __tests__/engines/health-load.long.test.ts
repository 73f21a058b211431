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

/** Each is checked at least every 5 s. */
const CHECKS_PER_SECOND = ENDPOINTS / 5;

describe('Health checks of 1,000 endpoints at the default interval', () =>
  it(`cost less for ${String(SECONDS)} s than bare connections do, hold no memory, and leave no socket and no timer behind`, async () => {
    const { folder } = await builtPackage();
    const script = join(folder, '__health-load.mjs');
    await copyFile(join(__dirname, '../support/gateway/health-load.mjs'), script);
    const servers = fork(join(__dirname, '../support/gateway/many-servers.mjs'), [String(ENDPOINTS)]);
    const [ports] = (await once(servers, 'message')) as [number[]];

    // In processes of their own: what jest itself does is not counted.
    const checking = fork(script, [String(SECONDS)], { execArgv: ['--expose-gc'] });
    checking.send(ports.map((port) => `tcp://127.0.0.1:${String(port)}`));
    const bare = fork(join(__dirname, '../support/gateway/bare-connections.mjs'), [
      String(SECONDS),
      String(CHECKS_PER_SECOND),
    ]);
    bare.send(ports);
    const [[result], [compared]] = (await Promise.all([once(checking, 'message'), once(bare, 'message')])) as [
      [Record<string, number>],
      [{ share: number; opened: number }],
    ];
    await end(servers);
    const { share = NaN, growth = NaN, ...rest } = result;
    // A machine that stands still for a while opens fewer.
    const bareShare = (compared.share * CHECKS_PER_SECOND * SECONDS) / compared.opened;
    const percent = (part: number): string => `${(part * 100).toFixed(1)} % of a core`;
    console.log(
      `${percent(share)}, bare connections ${percent(bareShare)}, heap ${growth.toFixed(2)} MB more after ${String(SECONDS)} s`,
    );
    expect(rest).toEqual({ down: 0, listedFirst: ENDPOINTS, listedLast: ENDPOINTS, left: 0 });
    // On a machine that is shared with other work, the same work counts as up to three times the time. It does so for both.
    expect(share / bareShare).toBeLessThan(1);
    expect(growth).toBeLessThan(5);
  }));
