import type { Snapshot } from '../../../lib/cli/serve/metrics.js';
import { RequestCount } from '../../../lib/cli/serve/request-count.js';
import type { DirectoryEntry, DirectoryStatus } from '../../../lib/directory/directory.js';

/** What is the same in every state. */
export const SNAPSHOT: Omit<Snapshot, keyof State> = {
  version: '1.2.3',
  nodeVersion: 'v24.0.0',
  now: 1_700_000_001_000,
  reloads: { success: 2, failure: 0 },
  requests: new RequestCount().counted(),
  process: { cpuSeconds: 1.25, residentBytes: 50_000_000, startedAt: 1_699_999_000_000, lagMs: 0.5 },
};

type State = Pick<Snapshot, 'isReady' | 'lists' | 'isRegistered'>;

const others = (listed: Record<string, number>, list?: DirectoryStatus) => [
  { horizon: undefined, unusedRules: 1, listed, list },
];

const entry = (source: string, state: DirectoryEntry['state'], health?: 'up' | 'down'): DirectoryEntry => ({
  source,
  state,
  since: 0,
  ...(state !== 'skipped' && { endpoint: source }),
  ...(health && { check: { state: health, since: 0 } }),
});
const status = (state: DirectoryStatus['state'], more: Partial<DirectoryStatus> = {}): DirectoryStatus => ({
  state,
  ageMs: 500,
  count: 2,
  down: 0,
  skipped: 0,
  relists: 1,
  events: 0,
  entries: [entry('tcp://a:1', 'listed'), entry('tcp://b:1', 'listed')],
  ...more,
});
const served = (list: DirectoryStatus, cluster = 2): State => ({
  isReady: cluster > 0,
  lists: others({ cluster, server: 1 }, list),
  isRegistered: true,
});

/** A server in each state that it can be in. */
export const STATES = {
  single: { isReady: true, lists: others({ server: 1 }), isRegistered: undefined },
  waiting: { isReady: false, lists: others({ cluster: 0, server: 0 }), isRegistered: false },
  live: served(status('live')),
  'one down': served(
    status('live', {
      count: 1,
      down: 1,
      skipped: 1,
      healthy: 1,
      entries: [entry('tcp://a:1', 'listed', 'up'), entry('tcp://b:1', 'down', 'down'), entry('nonsense', 'skipped')],
    }),
    1,
  ),
  'all down': served(
    status('live', {
      healthy: 0,
      entries: [entry('tcp://a:1', 'listed', 'down'), entry('tcp://b:1', 'listed', 'down')],
    }),
  ),
  stale: served(status('stale')),
  expired: served(status('expired'), 0),
} satisfies Record<string, State>;

/** The live server, with these entries instead. */
export const withEntries = (entries: readonly DirectoryEntry[]): State => served(status('live', { entries }));
