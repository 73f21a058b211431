import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { put } from '../support/etcd/etcd-ask.js';
import { cutOff } from '../support/etcd/etcd-partition.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

/** Users that own no file. */
const UIDS = [61_701, 61_702, 61_703];

describeWithEngines('a directory whose node of etcd is cut off from the other two', ['etcd', 'iptables'], () =>
  it.each([
    ['a follower', 1],
    ['the leader', 0],
  ])(
    'leaves it (%s) within 4 s for another one, and misses no change, though the node still answers',
    async (_role, index) => {
      await withEtcd({ size: 3, uids: UIDS }, async ({ etcd, open, after }) => {
        const nodes = await etcd.byRole();
        const watched = nodes[index] ?? nodes[0];
        const others = nodes.filter((node) => node !== watched);
        const { directory: own } = await open({ hosts: others.map(({ url }) => url) });
        await own.register(A);
        const { directory, history } = await open({ hosts: [watched, ...others].map(({ url }) => url) });
        const { directory: alone, history: its } = await open({ hosts: [watched.url] });

        let heal: (() => Promise<void>) | undefined = await cutOff(watched, others);
        after(async () => heal?.());
        await until('it has left', () => history.states.includes('stale'), 4000 + BUSY_MACHINE_MS);
        await until('it is live', () => directory.status().state === 'live', 2000 + BUSY_MACHINE_MS);
        const majority = others[0]?.url ?? '';
        await until('a majority takes changes', () =>
          put(majority, `/coordinators/${B}`).then(
            () => true,
            () => false,
          ),
        );
        await until('B is listed', () => directory.provider().includes(B));
        expect(directory.provider()).toStrictEqual([A, B]);

        // Who knows no other node says that the list is old, and goes on with it.
        await until('it is stale', () => alone.status().state === 'stale', 4000 + BUSY_MACHINE_MS);
        expect(alone.provider()).toStrictEqual([A]);
        await put(majority, `/coordinators/${C}`);
        await pause(1000);
        await heal();
        heal = undefined;
        await until('it is live again', () => alone.status().state === 'live', 5000 + BUSY_MACHINE_MS);
        expect(alone.provider()).toStrictEqual([A, B, C]);
        expect(its.states).toStrictEqual(['stale', 'live']);
        expect(directory.provider()).toStrictEqual([A, B, C]);
      });
    },
  ),
);
