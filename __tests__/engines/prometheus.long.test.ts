import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestCluster, type TestCluster } from '../../lib/testing/index.js';
import { deployFile } from '../support/deploy/deploy-files.js';
import { describeWithEngines, engineFile } from '../support/etcd/engines.js';
import { builtPackage } from '../support/package/built-package.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { end } from '../support/process/child.js';
import { freePort } from '../support/process/free-port.js';
import { until } from '../support/until.js';

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

describeWithEngines('Prometheus, which scrapes a gateway', ['prometheus'], () => {
  const children: ChildProcess[] = [];
  let folder: string;
  let cluster: TestCluster;
  let prometheus: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    cluster = await startTestCluster({ coordinators: 2 });
    const [port, status, own] = await Promise.all([freePort(), freePort(), freePort()]);
    prometheus = `http://127.0.0.1:${String(own)}`;
    const cli = join((await builtPackage()).folder, 'dist/esm/cli.js');
    const server = [
      ...[cli, '--server.endpoint', `tcp://127.0.0.1:${String(port)}`, '--cluster.my-role', 'COORDINATOR'],
      ...cluster.urls.flatMap((url) => ['--cluster.upstream', url]),
      ...['--cluster.health-check', 'true', '--cluster.health-check-interval', '1'],
      ...['--status.endpoint', `tcp://127.0.0.1:${String(status)}`],
    ];
    children.push(spawn(process.execPath, server, { stdio: 'ignore' }));
    const target = `127.0.0.1:${String(status)}`;
    const scrape = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(PACKAGE_FOLDER, 'deploy/prometheus/alerts.yaml')],
      scrape_configs: [{ job_name: 'endpoint-listing', static_configs: [{ targets: [target] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(scrape));
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    children.push(
      spawn(engineFile('prometheus'), [...args, `--web.listen-address=127.0.0.1:${String(own)}`], { stdio: 'ignore' }),
    );
    await until('Prometheus has scraped', async () => (await query('endpoint_listing_ready == 1')).length === 1);
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => end(child)));
    await cluster.close();
    rmSync(folder, { recursive: true });
  });

  async function asked(path: string): Promise<unknown> {
    const { data } = (await (await fetch(`${prometheus}/api/v1/${path}`)).json()) as { data: unknown };
    return data;
  }
  async function query(expression: string): Promise<readonly Sample[]> {
    const found = await asked(`query?query=${encodeURIComponent(expression)}`).catch(() => ({ result: [] }));
    return (found as { result: readonly Sample[] }).result;
  }

  it('evaluates every alert without an error, and none fires while all is well', async () => {
    const rules = async (): Promise<{ health: string; state: string }[]> =>
      ((await asked('rules')) as { groups: [{ rules: { health: string; state: string }[] }] }).groups[0].rules;
    await until('all are evaluated', async () => (await rules()).every(({ health }) => health !== 'unknown'));
    expect((await rules()).filter(({ health, state }) => health !== 'ok' || state === 'firing')).toEqual([]);
    expect(await rules()).toHaveLength(13);
  });

  it('has a series for every query of the dashboard', async () => {
    const { panels } = JSON.parse(deployFile('prometheus/dashboard.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replace('$instance', '.*')));
    expect(expressions).toHaveLength(11);
    for (const expression of expressions) {
      // Nothing is down now: its series are there all the same.
      const always = expression.replace(' == 0', '');
      await until(`there is a result of ${always}`, async () => (await query(always)).length > 0);
    }
  });

  it('says which endpoint is down, and that all are, until one is back', async () => {
    const [first, second] = cluster.coordinators;
    await first?.stop();
    await until('one is down', async () => {
      const down = await query('endpoint_listing_endpoint_up == 0');
      return down.length === 1 && down[0]?.metric['endpoint'] === first?.endpoint;
    });
    expect(await query('endpoint_listing_all_down == 1')).toEqual([]);
    await second?.stop();
    await until('all are down', async () => (await query('endpoint_listing_all_down == 1')).length === 1);
    const alerts = async (): Promise<number> => (await query('ALERTS{alertname="EndpointListingAllDown"}')).length;
    await until('the alert waits', async () => (await alerts()) === 1);
    await first?.start();
    await until('it is over', async () => (await alerts()) === 0);
  });
});
