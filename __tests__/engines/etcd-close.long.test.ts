import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { BUSY_MACHINE_MS, type Etcd, startEtcd } from '../support/etcd/etcd.js';
import { countOf } from '../support/etcd/etcd-ask.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { connectionsTo } from '../support/process/open-sockets.js';
import { startCoordinator } from '../support/process/server-process.js';
import { timersOf } from '../support/timers-of.js';
import { pause, until } from '../support/until.js';
import { withEtcd } from '../support/etcd/with-etcd.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const REQUEST_TIMEOUT_MS = 2000;

const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);

describeWithEngines('close() of a directory, with a real etcd', ['etcd'], () => {
  let etcd: Etcd;
  beforeEach(async () => {
    etcd = await startEtcd();
  });
  afterEach(() => etcd.close());

  it.each([
    ['runs', () => Promise.resolve(), 500],
    ['is frozen (SIGSTOP)', () => Promise.resolve(etcd.nodes[0]?.freeze()), REQUEST_TIMEOUT_MS],
    ['was killed', async () => etcd.nodes[0]?.stop('SIGKILL'), REQUEST_TIMEOUT_MS],
  ])(
    'leaves no timer, connection or listener behind, and does not wait, while etcd %s',
    async (_state, fail, limitMs) => {
      const timers = timersOf('etcd');
      const before = listeners();
      const directory = await createEtcdDirectory({ hosts: etcd.urls, connectTimeoutMs: 20_000 });
      try {
        await Promise.all([directory.register(A), directory.register(B)]);
        const closed = await directory.register('tcp://10.0.0.3:8529');
        await closed.close();
        expect(connectionsTo(etcd.urls)).toBeGreaterThan(0);
        expect(timers.pending()).toBeGreaterThan(0);
        await fail();
        const closedAt = performance.now();
        await directory.close();
        expect(performance.now() - closedAt).toBeLessThan(limitMs + 500 + BUSY_MACHINE_MS);
        await until('no timer is left', () => timers.pending() === 0);
        await until('no connection is left', () => connectionsTo(etcd.urls) === 0);
        expect(listeners()).toStrictEqual(before);
        expect(directory.status().state).toBe('closed');
      } finally {
        timers.stop();
        await directory.close();
      }
    },
  );
});

describeWithEngines('SIGTERM after an outage, with a real etcd', ['etcd'], () =>
  it.each([0, 50, 150, 400, 1000])(
    'ends the process of a Coordinator when etcd has been back for %i ms: nothing keeps it running',
    async (backMs) => {
      await withEtcd({}, async ({ etcd, after }) => {
        const [node] = etcd.nodes;
        const members = await Promise.all([1, 2].map(() => startCoordinator(etcd.urls)));
        after(() => Promise.all(members.map((member) => member.kill())));
        await node?.stop('SIGKILL');
        await pause(600);
        await node?.start();
        await pause(backMs);
        const stoppedAt = performance.now();
        await Promise.all(members.map((member) => member.kill('SIGTERM')));
        expect(performance.now() - stoppedAt).toBeLessThan(REQUEST_TIMEOUT_MS + 1000 + BUSY_MACHINE_MS);
        expect(members.map(({ child }) => child.exitCode)).toStrictEqual([0, 0]);
        expect(await countOf(etcd.urls[0] ?? '', '/coordinators/')).toMatchObject({ count: 0 });
      });
    },
  ),
);
