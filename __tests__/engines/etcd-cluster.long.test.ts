import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { type EtcdTest, type History, withEtcd } from '../support/etcd/with-etcd.js';
import type { LeasedDirectory } from '../../lib/etcd/index.js';

const MEMBERS = ['tcp://10.0.0.1:8529', 'tcp://10.0.0.2:8529', 'tcp://10.0.0.3:8529'];

/** An election, and all clients of a host that has died on another one. */
const RECOVERY_MS = 2000 + BUSY_MACHINE_MS;

/** A lister, and members that hold a lease of 15 s. */
async function follow(
  { open }: EtcdTest,
  hosts: readonly string[],
  maxStaleMs = 900_000,
): Promise<{ directory: LeasedDirectory; history: History }> {
  const { directory: own } = await open({ hosts: [...hosts].reverse() });
  await Promise.all(MEMBERS.map((endpoint) => own.register(endpoint)));
  const lister = await open({ hosts, maxStaleMs });
  expect(lister.directory.provider()).toStrictEqual(MEMBERS);
  return lister;
}

const urlsOf = (nodes: readonly { readonly url: string }[]): string[] => nodes.map(({ url }) => url);

/** How long the list was stale in all, in ms. */
function staleMs({ states, at }: History): number {
  return states.reduce((sum, state, index) => {
    return state === 'stale' ? sum + (at[index + 1] ?? performance.now()) - (at[index] ?? 0) : sum;
  }, 0);
}

describeWithEngines('a directory that follows three nodes of etcd', ['etcd'], () => {
  it.concurrent('is stale for less than 2 s when the leader is killed that it watches; no member is lost', async () => {
    await withEtcd({ size: 3 }, async (test) => {
      const nodes = await test.etcd.byRole();
      const { directory, history } = await follow(test, urlsOf(nodes));
      await nodes[0].stop('SIGKILL');
      await until('it has been stale and is live', () => history.states.includes('live'), RECOVERY_MS);
      await pause(6000);
      expect(directory.status().state).toBe('live');
      expect(staleMs(history)).toBeLessThan(RECOVERY_MS);
      expect(history.changes).toStrictEqual([]);
    });
  });

  it.concurrent(
    'loses no member (TTL 15 s) when the leader was frozen for longer than that, and has all leases revoked as it thaws',
    async () => {
      await withEtcd({ size: 3 }, async (test) => {
        const nodes = await test.etcd.byRole();
        const { directory, history } = await follow(test, urlsOf(nodes));
        nodes[0].freeze();
        await pause(17_000);
        nodes[0].thaw();
        await pause(5000);
        expect(history.changes).toStrictEqual([]);
        expect(directory.provider()).toStrictEqual(MEMBERS);
        expect(directory.status().state).toBe('live');
      });
    },
  );

  it.concurrent(
    'is stale, then expired, without a majority (two of three killed), and live within 2 s of its return; all are kept',
    async () => {
      await withEtcd({ size: 3 }, async (test) => {
        const [leader, ...followers] = await test.etcd.byRole();
        const { directory, history } = await follow(test, urlsOf([leader, ...followers]), 7000);
        await Promise.all(followers.map((node) => node.stop('SIGKILL')));
        const killedAt = performance.now();
        await until('it is stale', () => directory.status().state === 'stale', 4000 + BUSY_MACHINE_MS);
        expect(directory.provider()).toStrictEqual(MEMBERS);
        await until('it is expired', () => directory.status().state === 'expired', 7000 + BUSY_MACHINE_MS);
        expect(performance.now() - killedAt).toBeLessThan(7000 + BUSY_MACHINE_MS);
        expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
        await Promise.all(followers.map((node) => node.start()));
        await until('it is live', () => directory.status().state === 'live', RECOVERY_MS);
        await pause(2000);
        expect(history).toMatchObject({ states: ['stale', 'expired', 'live'], changes: [] });
        expect(directory.provider()).toStrictEqual(MEMBERS);
      });
    },
  );

  it.concurrent(
    'keeps its list whole while all three are restarted one after the other, and is stale for less than 2 s each time',
    async () => {
      await withEtcd({ size: 3 }, async (test) => {
        const nodes = await test.etcd.byRole();
        const { directory, history } = await follow(test, urlsOf(nodes));
        for (const node of nodes) {
          await node.stop('SIGTERM');
          await node.start();
          await until('it is live', () => directory.status().state === 'live', RECOVERY_MS);
        }
        await pause(2000);
        expect(directory.status().state).toBe('live');
        expect(history.changes).toStrictEqual([]);
        expect(staleMs(history)).toBeLessThan(3 * RECOVERY_MS);
      });
    },
  );
});
