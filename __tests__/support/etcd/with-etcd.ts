import { createEtcdDirectory, type EtcdDirectoryOptions, type LeasedDirectory } from '../../../lib/etcd/index.js';
import { type Etcd, type EtcdOptions, startEtcd } from './etcd.js';

/** What happened to a directory, with the time by `performance.now()`. */
export interface History {
  /** `live`, `stale`, `expired`, in order. */
  readonly states: string[];
  /** When each of {@link states} was emitted. */
  readonly at: number[];
  readonly changes: { readonly at: number; readonly endpoints: readonly string[] }[];
}

/** What a test has at hand; all of it is ended behind the test. */
export interface EtcdTest {
  readonly etcd: Etcd;
  readonly open: (options?: Partial<EtcdDirectoryOptions>) => Promise<{ directory: LeasedDirectory; history: History }>;
  /** Something else to end behind the test. */
  readonly after: (cleanup: () => Promise<unknown>) => void;
}

/** Runs a test with an etcd of its own. It needs no hooks, so that slow tests can run side by side. */
export async function withEtcd(options: EtcdOptions, run: (test: EtcdTest) => Promise<void>): Promise<void> {
  const etcd = await startEtcd(options);
  const cleanups: (() => Promise<unknown>)[] = [() => etcd.close()];
  try {
    await run({
      etcd,
      open: async (more = {}) => {
        const directory = await createEtcdDirectory({ hosts: etcd.urls, connectTimeoutMs: 20_000, ...more });
        cleanups.push(() => directory.close());
        return { directory, history: historyOf(directory) };
      },
      after: (cleanup) => {
        cleanups.push(cleanup);
      },
    });
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

function historyOf(directory: LeasedDirectory): History {
  const history: History = { states: [], at: [], changes: [] };
  for (const state of ['live', 'stale', 'expired'] as const) {
    directory.on(state, () => {
      history.states.push(state);
      history.at.push(performance.now());
    });
  }
  directory.on('change', (endpoints) => {
    history.changes.push({ at: performance.now(), endpoints });
  });
  return history;
}
