import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, hasEnded } from '../support/process/child.js';
import { compiledExample } from '../support/package/built-package.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { until } from '../support/until.js';

const LIMIT_MS = 120_000;

describe('npm run cluster', () => {
  let compiled: string;
  let scratch: string;
  let child: ChildProcess | undefined;
  let [said, complaints] = ['', ''];

  beforeAll(async () => {
    compiled = await compiledExample();
  });
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'cluster-test-'));
    [said, complaints] = ['', ''];
  });
  afterEach(async () => {
    if (child !== undefined) await end(child);
    rmSync(scratch, { recursive: true });
  });

  function run(env: Readonly<Record<string, string>> = {}): ChildProcess {
    const started = spawn(process.execPath, [join(compiled, 'cluster.js')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: scratch, ...env },
    });
    started.stdout.on('data', (text: Buffer) => (said += text.toString()));
    started.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
    child = started;
    return started;
  }

  async function exitCode(of: ChildProcess): Promise<number | null> {
    await until('it ends', () => hasEnded(of), LIMIT_MS);
    return of.exitCode;
  }

  it('says how to install etcd, in one line, where there is none', async () => {
    expect(await exitCode(run({ PATH: '' }))).toBe(1);
    expect([said, complaints]).toEqual(['', 'etcd is missing; install it with: apt-get install -y etcd-server\n']);
  });

  describeWithEngines('with etcd', ['etcd'], () => {
    it('shows three coordinators, two when one is killed, and one when another is stopped', async () => {
      expect(await exitCode(run())).toBe(0);
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
      expect([complaints, readdirSync(scratch)]).toEqual(['', []]);
    });

    it('cleans up at Ctrl-C, too', async () => {
      const running = run();
      await until('the first listing is there', () => said.includes('lists:'), LIMIT_MS);
      expect(readdirSync(scratch)).toHaveLength(1);
      running.kill('SIGINT');
      expect(await exitCode(running)).toBe(0);
      expect([complaints, readdirSync(scratch)]).toEqual(['', []]);
    });
  });
});
