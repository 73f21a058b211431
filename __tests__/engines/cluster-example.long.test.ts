import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { end, hasEnded, start, type Started } from '../support/process/child.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { compiledExample } from '../support/package/built-package.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { until } from '../support/until.js';

const LIMIT_MS = 120_000;

describe('npm run cluster', () => {
  const scratchFile = useScratchFolder();
  let running: Started;
  afterEach(() => end(running.child));

  async function run(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const script = join(await compiledExample(), 'cluster.js');
    running = start(process.execPath, [script], { env: { ...process.env, TMPDIR: scratchFile('.'), ...env } });
  }

  async function ended(): Promise<[exitCode: number | null, complaints: string, left: string[]]> {
    await until('it ends', () => hasEnded(running.child), LIMIT_MS);
    return [running.child.exitCode, running.stderr(), readdirSync(scratchFile('.'))];
  }

  it('says how to install etcd, in one line, where there is none', async () => {
    await run({ PATH: '' });
    const complaint = 'etcd is missing; install it with: apt-get install -y etcd-server\n';
    expect([...(await ended()), running.stdout()]).toEqual([1, complaint, [], '']);
  });

  describeWithEngines('with etcd', ['etcd'], () => {
    it('shows three coordinators, two when one is killed, and one when another is stopped', async () => {
      await run();
      expect(await ended()).toEqual([0, '', []]);
      const said = running.stdout();
      const [, first = ''] = / s (tcp:\S+) lists:/.exec(said) ?? [];
      const [, killed = ''] = /^(tcp:\S+) killed;/m.exec(said) ?? [];
      const [, stopped = ''] = /^(tcp:\S+) stopped;/m.exec(said) ?? [];
      expect(new Set([first, killed, stopped]).size).toBe(3);
      const listing = (...endpoints: string[]): string[] => endpoints.sort().map((endpoint) => `  ${endpoint}`);
      expect(said.replaceAll(/\d+\.\d s/g, 'N s').split('\n')).toEqual([
        `three coordinators started; after N s ${first} lists:`,
        ...listing(first, killed, stopped),
        `${killed} killed; after N s ${first} lists:`,
        ...listing(first, stopped),
        `${stopped} stopped; after N s ${first} lists:`,
        ...listing(first),
        '',
      ]);
    });

    it('cleans up at Ctrl-C, too', async () => {
      await run();
      await until('the first listing is there', () => running.stdout().includes('lists:'), LIMIT_MS);
      expect(readdirSync(scratchFile('.'))).toHaveLength(1);
      running.child.kill('SIGINT');
      expect(await ended()).toEqual([0, '', []]);
    });
  });
});
