import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { countOf } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';

describeWithEngines('a member in the eyes of another process, with a real etcd', ['etcd'], () => {
  it.concurrent(
    'keeps exactly one entry while it is killed and started again within its TTL, five times',
    () =>
      withEtcd({}, async ({ etcd, open, member }) => {
        const { directory, history } = await open();
        let current = await member(A);
        await until('it is listed', () => directory.status().count === 1);
        history.changes.length = 0;
        for (let round = 0; round < 5; round += 1) {
          await current.stop('SIGKILL');
          current = await member(A);
          expect(directory.provider()).toStrictEqual([A]);
          expect(await countOf(etcd.nodes[0]?.url ?? '', '/coordinators/')).toMatchObject({ count: 1 });
        }
        expect(history.changes).toStrictEqual([]);
        // The leases of those that were killed run out meanwhile.
        await pause(16_000);
        expect(history.changes).toStrictEqual([]);
        expect(directory.provider()).toStrictEqual([A]);
      }),
    180_000,
  );

  it.concurrent(
    'is dropped while its process is frozen (SIGSTOP) for longer than its TTL, finds out, and comes back by itself',
    () =>
      withEtcd({}, async ({ open, member }) => {
        const { directory } = await open();
        const one = await member(A, 3);
        await until('it is listed', () => directory.status().count === 1);
        one.freeze();
        await until('it is dropped', () => directory.status().count === 0, 4000 + BUSY_MACHINE_MS);
        one.thaw();
        await until('it is back', () => directory.status().count === 1, 1000 + BUSY_MACHINE_MS);
        await until('it says so', () => one.said.includes('restored'));
        expect(one.said).toStrictEqual(['registered', 'lost', 'restored']);
      }),
    180_000,
  );
});
