import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { deployFile } from '../support/deploy/deploy-files.js';
import { describeWithEngines, engineFile } from '../support/etcd/engines.js';

const RULES = join(PACKAGE_FOLDER, 'deploy/prometheus/alerts.yaml');
const OF_A = 'job="endpoint-listing",instance="a"';

/** One value every 30 s, as promtool writes them: `1 0x9 1x4` is 1, then ten times 0, then five times 1. */
type Series = Readonly<Record<string, string>>;

/** An alert, what is measured, and at which minute it does not fire yet, fires, still fires, and fires no more. */
const ALERTS: readonly (readonly [alert: string, Series, minutes: string])[] = [
  ['EndpointListingDown', { up: '1 0x9 1x9' }, '1m 2m 5m 5m30s'],
  ['EndpointListingNotReady', { endpoint_listing_ready: '1 0x19 1x9' }, '2m 2m30s 10m 10m30s'],
  ['EndpointListingStale', { 'endpoint_listing_directory_state{state="stale"}': '0 1x19 0x9' }, '5m 5m30s 10m 10m30s'],
  ['EndpointListingExpired', { 'endpoint_listing_directory_state{state="expired"}': '0 1x9 0x9' }, '0m 30s 5m 5m30s'],
  [
    'EndpointListingEndpointDown',
    { 'endpoint_listing_endpoint_up{endpoint="tcp://db1.example:8529"}': '1 0x9 1x9' },
    '1m 1m30s 5m 5m30s',
  ],
  // The whole cluster is dead for hours: the whole list is served, and the alert stays until one server is back.
  [
    'EndpointListingAllDown',
    {
      endpoint_listing_all_down: '0 1x359 0x9',
      'endpoint_listing_endpoints{listing="cluster"}': '3x370',
    },
    '1m 1m30s 180m 180m30s',
  ],
  [
    'EndpointListingNothingListed',
    { 'endpoint_listing_endpoints{listing="cluster"}': '3 0x9 3x9' },
    '1m 1m30s 5m 5m30s',
  ],
  [
    'EndpointListingEntriesSkipped',
    { 'endpoint_listing_entries{state="skipped"}': '0 2x29 0x9' },
    '10m 10m30s 15m 15m30s',
  ],
  ['EndpointListingRulesUnused', { endpoint_listing_unused_rules: '0 1x29 0x9' }, '10m 10m30s 15m 15m30s'],
  // One failure among successes, and the hour after it.
  [
    'EndpointListingReloadFailed',
    { 'endpoint_listing_reloads_total{result="failure"}': '0x4 1x150' },
    '2m 2m30s 60m 63m',
  ],
  ['EndpointListingRegistrationLost', { endpoint_listing_registered: '1 0x9 1x9' }, '1m 1m30s 5m 5m30s'],
  [
    'EndpointListingErrors',
    {
      'endpoint_listing_requests_total{route="cluster",status="200"}': '0+9x90',
      'endpoint_listing_requests_total{route="cluster",status="500"}': '0x9 1+1x30 31x50',
      // What a server that is no coordinator has to answer is no error of its own.
      'endpoint_listing_requests_total{route="server",status="501"}': '0+9x90',
    },
    '8m 13m 19m 26m',
  ],
  [
    'EndpointListingSlow',
    {
      'endpoint_listing_request_duration_seconds_bucket{route="cluster",le="0.5"}': '0+9x9 90+8x40 410+10x60',
      'endpoint_listing_request_duration_seconds_bucket{route="cluster",le="1"}': '0+9x9 90+9x40 450+10x60',
      'endpoint_listing_request_duration_seconds_bucket{route="cluster",le="+Inf"}': '0+9x9 90+9x40 450+10x60',
    },
    '10m 20m 25m 40m',
  ],
];

describeWithEngines('deploy/prometheus/alerts.yaml', ['promtool'], () => {
  /** What promtool says of a test file, which may be JSON: that is YAML too. */
  function played(test: object): string {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    try {
      const file = join(folder, 'test.json');
      writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '30s', tests: [test] }));
      return execFileSync(engineFile('promtool'), ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const seriesOf = (series: Series): object[] =>
    Object.entries(series).map(([name, values]) => {
      const [, metric = '', labels] = /^([^{]*)(?:\{(.*)\})?$/.exec(name) ?? [];
      return { series: `${metric}{${labels === undefined ? OF_A : `${OF_A},${labels}`}}`, values };
    });
  const firing = (alert: string, eval_time: string, isFiring: boolean): object => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time,
    exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
  });

  it('is accepted by promtool', () =>
    expect(execFileSync(engineFile('promtool'), ['check', 'rules', RULES], { encoding: 'utf8' })).toContain(
      '13 rules found',
    ));

  it.each(ALERTS)('%s fires when it is time, stays while it is true, and ends', (alert, series, minutes) => {
    const isFiring = [false, true, true, false];
    const promql_expr_test = minutes.split(' ').map((minute, at) => firing(alert, minute, isFiring[at] === true));
    expect(played({ interval: '30s', input_series: seriesOf(series), promql_expr_test })).toContain('SUCCESS');
  });

  it('has no alert that is not played here', () => {
    const { groups } = parse(deployFile('prometheus/alerts.yaml')) as { groups: [{ rules: { alert: string }[] }] };
    expect(groups[0].rules.map(({ alert }) => alert)).toEqual(ALERTS.map(([alert]) => alert));
  });

  it('fires also when nobody scrapes the server', () => {
    const promql_expr_test = [firing('EndpointListingDown', '5m', true)];
    expect(played({ interval: '30s', input_series: [], promql_expr_test })).toContain('SUCCESS');
  });

  it('says in words which endpoint is down, and where to look', () => {
    const series = { 'endpoint_listing_endpoint_up{endpoint="tcp://db1.example:8529"}': '0x9' };
    const exp_labels = {
      severity: 'warning',
      job: 'endpoint-listing',
      instance: 'a',
      endpoint: 'tcp://db1.example:8529',
    };
    const exp_annotations = {
      summary: 'tcp://db1.example:8529 fails its health checks at a.',
      action: 'The log line endpoint-down has the reason.',
    };
    const alert_rule_test = [
      { eval_time: '2m', alertname: 'EndpointListingEndpointDown', exp_alerts: [{ exp_labels, exp_annotations }] },
    ];
    expect(played({ interval: '30s', input_series: seriesOf(series), alert_rule_test })).toContain('SUCCESS');
  });
});
