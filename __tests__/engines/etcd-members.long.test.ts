import { BUSY_MACHINE_MS } from '../support/etcd/etcd.js';
import { countOf } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

const GOODBYE_MS = 500 + BUSY_MACHINE_MS;

describeWithEngines('a member in the eyes of another process, with a real etcd', ['etcd'], () => {
  it.concurrent(
    'is off the list between 2/3 of its TTL (15 s) and 1 s after it, when it was killed (kill -9)',
    () =>
      withEtcd({}, async ({ etcd, open, member }) => {
        const { directory, history } = await open();
        const members = [await member(A), await member(B)];
        await member(C);
        await until('all are listed', () => directory.status().count === 3);
        history.changes.length = 0;
        const killedAt = performance.now();
        await Promise.all(members.map((one) => one.stop('SIGKILL')));
        await until('both are gone', () => directory.status().count === 1, 16_000 + BUSY_MACHINE_MS);
        for (const { at } of history.changes) {
          expect(at - killedAt).toBeGreaterThan(10_000);
          expect(at - killedAt).toBeLessThanOrEqual(16_000 + BUSY_MACHINE_MS);
        }
        expect(directory.provider()).toStrictEqual([C]);
        expect(history.states).toStrictEqual([]);
        expect(await countOf(etcd.nodes[0]?.url ?? '', '/coordinators/')).toMatchObject({ count: 1 });
      }),
    180_000,
  );

  it.concurrent(
    'is off the list within 500 ms when it deregisters (SIGTERM), and its process ends by itself with 0',
    () =>
      withEtcd({}, async ({ open, member }) => {
        const { directory, history } = await open();
        const [one] = [await member(A), await member(B)];
        await until('both are listed', () => directory.status().count === 2);
        const saidAt = performance.now();
        const exit = one.stop('SIGTERM');
        await until('it is gone', () => directory.status().count === 1);
        expect((history.changes.at(-1)?.at ?? 0) - saidAt).toBeLessThan(GOODBYE_MS);
        expect(directory.provider()).toStrictEqual([B]);
        expect(await exit).toBe(0);
        expect(one.said).toStrictEqual(['registered', 'closed']);
      }),
    180_000,
  );

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
    'stays listed when it was started again while the process before was still running, and that one deregisters',
    () =>
      withEtcd({}, async ({ open, member }) => {
        const { directory, history } = await open();
        const before = await member(A);
        await member(A);
        await until('it is listed', () => directory.status().count === 1);
        await before.stop('SIGTERM');
        await pause(1000);
        expect(directory.provider()).toStrictEqual([A]);
        expect(history.changes.map(({ endpoints }) => endpoints)).toStrictEqual([[A]]);
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
