import fc from 'fast-check';
import { startTestCluster, type TestCluster, type TestCoordinator } from '../../lib/testing/index.js';
import { freePort } from '../support/process/free-port.js';
import { ask } from '../support/testing/cluster.js';

const ACTS = ['start', 'stop', 'freeze', 'reset', 'close'] as const;
type Act = (typeof ACTS)[number];

const STATES = { start: 'running', stop: 'stopped', freeze: 'frozen', reset: 'running', close: 'stopped' } as const;

function act({ coordinators, reset, close }: TestCluster, name: Act, index: number): Promise<void> {
  const of = {
    start: coordinators[index]?.start,
    stop: coordinators[index]?.stop,
    freeze: coordinators[index]?.freeze,
  };
  return name === 'reset'
    ? reset()
    : name === 'close'
      ? close()
      : (of[name]?.() ?? Promise.reject(new Error('no such')));
}

/** A running one answers, a stopped one refuses, and a frozen one answers once it is started. */
async function isAsItSays({ state, start, url }: TestCoordinator): Promise<void> {
  const answer = ask(url).then(
    ([status]) => status,
    (error: unknown) => (error as { cause: { code: string } }).cause.code,
  );
  if (state === 'frozen') await start();
  expect(await answer).toBe(state === 'stopped' ? 'ECONNREFUSED' : 200);
}

it('A coordinator ends in the state that was asked for last after start, stop, freeze, reset and close in any order, waited for or not', async () => {
  const step = fc.record({ name: fc.constantFrom(...ACTS), index: fc.nat(1), isAwaited: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const cluster = await startTestCluster({ ports: [await freePort(), await freePort()] });
      const expected: string[] = ['running', 'running'];
      let isClosed = false;
      const all: Promise<unknown>[] = [];
      for (const { name, index, isAwaited } of steps) {
        const done = act(cluster, name, index).catch((error: unknown) => String(error));
        const isRefused = isClosed && !['stop', 'close'].includes(name);
        all.push(done.then((came) => expect(came).toBe(isRefused ? 'Error: the cluster is closed' : undefined)));
        if (isAwaited) await done;
        isClosed ||= name === 'close';
        if (isRefused) continue;
        if (name === 'reset' || name === 'close') expected.fill(STATES[name]);
        else expected[index] = STATES[name];
      }
      await Promise.all(all);
      expect(cluster.coordinators.map(({ state }) => state)).toEqual(expected);
      await Promise.all(cluster.coordinators.map(isAsItSays));
      await cluster.close();
      expect(cluster.coordinators.map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    }),
  );
});
