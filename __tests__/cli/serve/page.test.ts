import { writeFile } from 'node:fs/promises';
import { gateways } from '../../support/gateway/gateways.js';
import { goneEndpoint } from '../../support/health/health-directories.js';
import { runUntilAsked } from '../../support/process/running-server.js';
import { turnedClock } from '../../support/turned-clock.js';
import { until } from '../../support/until.js';

const clock = turnedClock();
const { serve, scratchFile } = gateways();

describe('The page of a gateway', () =>
  it.each([
    ['live', /1 of 2 coordinators is down: ssl:\/\/b\.example:443/],
    ['stale', /The list is \d+ \w+ old: its source does not answer/],
    ['expired', /The list has expired/],
    ['after a SIGHUP that hides addresses', /1 of 2 coordinators is down: ssl:\/\/b\.example:443/],
  ])('names no inner address, no upstream and nothing that it says: %s', async (state, words) => {
    const [a, b, saying] = [(await serve([])).endpoint, await goneEndpoint(), 'inner words'];
    const upstream = await serve([a, b, saying]);
    const write = (...rules: string[]): Promise<void> =>
      writeFile(
        scratchFile('a.conf'),
        `page = true\n[server]\nendpoint = tcp://127.0.0.1:0\n[cluster]\nmy-role = COORDINATOR
upstream = ${upstream.url}\nhealth-check = true\n${rules.map((rule) => `translate${rule}\n`).join('')}`,
      );
    const rules = [` = ${a}=ssl://a.example:443`, ` = ${b}=ssl://b.example:443`];
    await write(...(state.includes('SIGHUP') ? ['-unmatched = keep'] : rules));
    const run = async (url: string, terminal: { emit(signal: string): unknown }): Promise<void> => {
      const page = async (): Promise<string> => (await fetch(url)).text();
      if (state.includes('SIGHUP')) {
        expect(await page()).toContain(b);
        await write(...rules);
        terminal.emit('SIGHUP');
      } else if (state !== 'live') {
        upstream.reply({ code: 503, errorNum: 1, errorMessage: saying });
        await clock.turn(5000);
        await until('the list is stale', async () => (await page()).includes('>stale<'));
        if (state === 'expired') await clock.turn(900_000);
      }
      await until(state, async () => words.test(await page()));
      const document = await page();
      for (const inner of [a, b, upstream.endpoint, saying]) expect(document).not.toContain(inner.replace(/^.*:/, ''));
    };
    expect((await runUntilAsked(['-c', 'a.conf'], run, { folder: scratchFile('.') })).exitCode).toBe(0);
  }));
