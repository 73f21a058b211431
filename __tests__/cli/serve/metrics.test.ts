import { metricsText } from '../../../lib/cli/serve/metrics.js';
import { SNAPSHOT, STATES, withEntries } from '../../support/metrics/snapshots.js';

/** The samples of the list in one state, without the beginning that all have. */
const samples = (state: keyof typeof STATES, name: RegExp): string[] =>
  metricsText({ ...SNAPSHOT, ...STATES[state] })
    .split('\n')
    .filter((line) => name.test(line) && !line.startsWith('#'))
    .map((line) => line.replace('endpoint_listing_', ''));

describe('The text of GET /metrics', () => {
  it('has a help, a type and all series for each family', () =>
    expect(metricsText({ ...SNAPSHOT, ...STATES['one down'], requests: new Map() })).toBe(`\
# HELP endpoint_listing_build_info The version of the server and of Node.
# TYPE endpoint_listing_build_info gauge
endpoint_listing_build_info{version="1.2.3",node_version="v24.0.0"} 1
# HELP endpoint_listing_ready 1 while the server is ready.
# TYPE endpoint_listing_ready gauge
endpoint_listing_ready 1
# HELP endpoint_listing_endpoints Endpoints on each listing, as it is answered.
# TYPE endpoint_listing_endpoints gauge
endpoint_listing_endpoints{listing="cluster"} 1
endpoint_listing_endpoints{listing="server"} 1
# HELP endpoint_listing_entries Entries of the list of Coordinators by what became of them.
# TYPE endpoint_listing_entries gauge
endpoint_listing_entries{state="listed"} 1
endpoint_listing_entries{state="down"} 1
endpoint_listing_entries{state="skipped"} 1
# HELP endpoint_listing_endpoint_up 1 for an entry whose health checks succeed.
# TYPE endpoint_listing_endpoint_up gauge
endpoint_listing_endpoint_up{endpoint="tcp://a:1"} 1
endpoint_listing_endpoint_up{endpoint="tcp://b:1"} 0
# HELP endpoint_listing_all_down 1 while the whole list is served because nothing on it is healthy.
# TYPE endpoint_listing_all_down gauge
endpoint_listing_all_down 0
# HELP endpoint_listing_directory_state 1 for the state of the list of Coordinators.
# TYPE endpoint_listing_directory_state gauge
endpoint_listing_directory_state{state="live"} 1
endpoint_listing_directory_state{state="stale"} 0
endpoint_listing_directory_state{state="expired"} 0
endpoint_listing_directory_state{state="closed"} 0
# HELP endpoint_listing_directory_confirmed_timestamp_seconds When the list was last confirmed, in Unix time.
# TYPE endpoint_listing_directory_confirmed_timestamp_seconds gauge
endpoint_listing_directory_confirmed_timestamp_seconds 1700000000.5
# HELP endpoint_listing_registered 1 while the key of this server in etcd is held.
# TYPE endpoint_listing_registered gauge
endpoint_listing_registered 1
# HELP endpoint_listing_reloads_total Reloads of the configuration by result.
# TYPE endpoint_listing_reloads_total counter
endpoint_listing_reloads_total{result="success"} 2
endpoint_listing_reloads_total{result="failure"} 0
# HELP endpoint_listing_unused_rules Rules of translation that name nothing on the list.
# TYPE endpoint_listing_unused_rules gauge
endpoint_listing_unused_rules 1
# HELP process_cpu_seconds_total User and system CPU time in seconds.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 1.25
# HELP process_resident_memory_bytes Resident memory in bytes.
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 50000000
# HELP process_start_time_seconds When the process started, in Unix time.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1699999000
# HELP nodejs_eventloop_lag_seconds Lag of the event loop in seconds.
# TYPE nodejs_eventloop_lag_seconds gauge
nodejs_eventloop_lag_seconds 0.0005
`));

  it('has the requests of both listings from the start, at 0', () =>
    expect(samples('waiting', /requests_total|_count/)).toEqual(
      ['cluster', 'server']
        .flatMap((route) =>
          ['200', '500', '503'].map((status) => `requests_total{route="${route}",status="${status}"} 0`),
        )
        .concat(['cluster', 'server'].map((route) => `request_duration_seconds_count{route="${route}"} 0`)),
    ));

  it.each<[keyof typeof STATES, number]>([
    ['live', 0],
    ['all down', 1],
    ['one down', 0],
    ['waiting', 0],
  ])('of a list that is %s says all_down %s', (state, value) =>
    expect(samples(state, /all_down/)).toEqual([`all_down ${String(value)}`]),
  );

  it('has a time of 0 for a list that nothing has confirmed, and no registration where none is made', () => {
    expect(samples('waiting', /timestamp/)).toEqual(['directory_confirmed_timestamp_seconds 0']);
    expect(samples('single', /registered/)).toEqual([]);
    expect(samples('single', /_endpoints\{/)).toEqual(['endpoints{listing="server"} 1']);
  });

  it('escapes every character that has a meaning in a label', () => {
    const entries = [
      { source: 'tcp://"\\\n:1', state: 'listed' as const, since: 0, check: { state: 'up' as const, since: 0 } },
    ];
    const text = metricsText({ ...SNAPSHOT, ...withEntries(entries) });
    expect(text).toContain('endpoint_listing_endpoint_up{endpoint="tcp://\\"\\\\\\n:1"} 1\n');
  });

  it('has health for the first 1,000 entries', () => {
    const entries = Array.from({ length: 1001 }, (_, index) => ({
      source: `tcp://${String(index)}.example:1`,
      state: 'listed' as const,
      since: 0,
      check: { state: 'up' as const, since: 0 },
    }));
    expect(
      metricsText({ ...SNAPSHOT, ...withEntries(entries) }).match(/^endpoint_listing_endpoint_up\{/gm),
    ).toHaveLength(1000);
  });
});
