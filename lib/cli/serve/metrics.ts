import type { DirectoryEntry, DirectoryStatus } from '../../directory/directory.js';
import { isAllDown } from './coordinators.js';
import { BUCKETS, type RouteCount } from './request-count.js';

/** All that is measured, at one moment. */
export interface Snapshot {
  readonly version: string;
  readonly nodeVersion: string;
  readonly isReady: boolean;
  /** First those of all clients that are in no horizon, then those of each horizon. */
  readonly lists: readonly ListSnapshot[];
  /** When this was measured, as `Date.now()` counts. */
  readonly now: number;
  /** On a server that registers. */
  readonly isRegistered: boolean | undefined;
  readonly reloads: Readonly<Record<'success' | 'failure', number>>;
  readonly requests: ReadonlyMap<string, RouteCount>;
  readonly process: {
    readonly cpuSeconds: number;
    readonly residentBytes: number;
    /** As `Date.now()` counts. */
    readonly startedAt: number;
    readonly lagMs: number;
  };
}

/** Both listings for some clients. */
export interface ListSnapshot {
  readonly horizon: string | undefined;
  /** How many endpoints each listing answers with. */
  readonly listed: Readonly<Record<string, number>>;
  /** How the list of Coordinators stands, once there is one. */
  readonly list: DirectoryStatus | undefined;
  /** How many rules of translation name nothing on the list. */
  readonly unusedRules: number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | boolean, suffix?: string];

const STATES = ['live', 'stale', 'expired', 'closed'];
/** The most series of a label with one value per entry: more would cost Prometheus more than they are worth. */
const MAX_SERIES = 1000;

/** What is measured, in the text format of Prometheus. */
export function metricsText(snapshot: Snapshot): string {
  const { requests, isRegistered, reloads, process, lists } = snapshot;
  return [
    own('build_info', 'gauge', 'The version of the server and of Node.', [
      [{ version: snapshot.version, node_version: snapshot.nodeVersion }, 1],
    ]),
    own('ready', 'gauge', '1 while the server is ready.', [[{}, snapshot.isReady]]),
    own(
      'endpoints',
      'gauge',
      'Endpoints on each listing, as it is answered.',
      ofEach(lists, ({ listed }) => of('listing', listed)),
    ),
    ofTheList(snapshot),
    own(
      'registered',
      'gauge',
      '1 while the key of this server in etcd is held.',
      isRegistered === undefined ? [] : [[{}, isRegistered]],
    ),
    own('reloads_total', 'counter', 'Reloads of the configuration by result.', of('result', reloads)),
    own(
      'unused_rules',
      'gauge',
      'Rules of translation that name nothing on the list.',
      ofEach(lists, ({ unusedRules }) => [[{}, unusedRules]]),
    ),
    own(
      'requests_total',
      'counter',
      'Requests by route and status.',
      Array.from(requests).flatMap(([route, { byStatus }]) =>
        Array.from(byStatus, ([status, count]): Sample => [{ route, status }, count]),
      ),
    ),
    own(
      'request_duration_seconds',
      'histogram',
      'Seconds from a request to the end of its response.',
      Array.from(requests).flatMap(durations),
    ),
    family('process_cpu_seconds_total', 'counter', 'User and system CPU time in seconds.', [[{}, process.cpuSeconds]]),
    family('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes.', [[{}, process.residentBytes]]),
    family('process_start_time_seconds', 'gauge', 'When the process started, in Unix time.', [
      [{}, seconds(process.startedAt)],
    ]),
    family('nodejs_eventloop_lag_seconds', 'gauge', 'Lag of the event loop in seconds.', [[{}, process.lagMs / 1000]]),
  ].join('');
}

/** How the list of Coordinators stands. Its state and its checks are those of all horizons. */
function ofTheList({ lists, now }: Snapshot): string {
  const [list] = lists.map((one) => one.list);
  const checked = (list?.entries ?? []).flatMap(({ source, check }) => (check === undefined ? [] : { source, check }));
  const confirmedAt = list === undefined ? 0 : now - list.ageMs;
  return [
    own(
      'entries',
      'gauge',
      'Entries of the list of Coordinators by what became of them.',
      ofEach(lists, (one) => of('state', entriesOf(one.list))),
    ),
    own(
      'endpoint_up',
      'gauge',
      '1 for an entry whose health checks succeed.',
      checked.slice(0, MAX_SERIES).map(({ source, check }): Sample => [{ endpoint: source }, check.state === 'up']),
    ),
    own(
      'all_down',
      'gauge',
      '1 while the whole list is served because nothing on it is healthy.',
      ofEach(lists, (one) => [[{}, one.list !== undefined && isAllDown(one.list)]]),
    ),
    own(
      'directory_state',
      'gauge',
      '1 for the state of the list of Coordinators.',
      of('state', Object.fromEntries(STATES.map((state) => [state, state === list?.state]))),
    ),
    own('directory_confirmed_timestamp_seconds', 'gauge', 'When the list was last confirmed, in Unix time.', [
      [{}, seconds(confirmedAt)],
    ]),
  ].join('');
}

/** The samples of each list, with the horizon that it is for. */
function ofEach(lists: readonly ListSnapshot[], samplesOf: (list: ListSnapshot) => Sample[]): Sample[] {
  return lists.flatMap((list) =>
    samplesOf(list).map(([labels, value]): Sample => [
      { ...labels, ...(list.horizon !== undefined && { horizon: list.horizon }) },
      value,
    ]),
  );
}

function of(name: string, values: Readonly<Record<string, number | boolean>>): Sample[] {
  return Object.entries(values).map(([label, value]) => [{ [name]: label }, value]);
}

/** Two entries may be one endpoint: what is listed is counted by entries here. */
function entriesOf(list: DirectoryStatus | undefined): Readonly<Record<DirectoryEntry['state'], number>> {
  const { entries = [], down = 0, skipped = 0 } = list ?? {};
  return { listed: entries.length - down - skipped, down, skipped };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

function durations([route, { buckets, seconds, count }]: readonly [string, RouteCount]): Sample[] {
  return [
    ...BUCKETS.map((bound, index): Sample => [{ route, le: String(bound) }, Number(buckets[index]), '_bucket']),
    [{ route, le: '+Inf' }, count, '_bucket'],
    [{ route }, seconds, '_sum'],
    [{ route }, count, '_count'],
  ];
}

function own(name: string, type: string, help: string, samples: readonly Sample[]): string {
  return family(`endpoint_listing_${name}`, type, help, samples);
}

/** One family; nothing when it has no sample. */
function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(
    ([labels, value, suffix = '']) => `${name}${suffix}${labelled(labels)} ${String(Number(value))}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
