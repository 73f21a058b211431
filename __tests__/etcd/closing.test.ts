import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import { timersOf } from '../support/timers-of.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

describe('close() after an outage', () =>
  it.each([
    ['which lists only', false, 3],
    ['with a registration', true, 0],
  ])(
    'of a directory %s opens no other session: nothing is asked any more, no timer is left',
    async (_what, registers, ms) => {
      const gateway = await scenario.gateway();
      gateway.put(B);
      const { port, url } = gateway;
      const timers = timersOf('etcd');
      const directories = await Promise.all(
        Array.from({ length: 10 }, () => scenario.open([url], { retry: { minMs: 50, maxMs: 50 }, includeSelf: false })),
      );
      if (registers)
        await Promise.all(directories.map((directory, index) => directory.register(`tcp://10.0.1.${String(index)}:1`)));
      await gateway.kill();
      await until('all are stale', () => directories.every((directory) => directory.status().state === 'stale'));
      await pause(100);
      await gateway.listen('127.0.0.1', port);
      await pause(ms);
      await Promise.all(directories.map((directory) => directory.close()));
      await until('no timer is left', () => timers.pending() === 0, 1000);
      timers.stop();
      await until('no watch is left', () => gateway.watches === 0, 1000);
      // What was sent before is still read.
      await pause(100);
      const asked = gateway.asked.length;
      await pause(200);
      expect(gateway.asked).toHaveLength(asked);
      expect(gateway.endpoints).toStrictEqual([B]);
      expect(directories.map((directory) => directory.status().state)).toStrictEqual(Array(10).fill('closed'));
    },
  ));

describe('a closed directory', () => {
  it('emits nothing more, whatever was on its way', async () => {
    const { gateway, directory } = await scenario.follow();
    const registration = await directory.register(A);
    const events = eventsOf(directory);
    const happenings: string[] = [];
    for (const event of ['lost', 'restored', 'retry'] as const) registration.on(event, () => happenings.push(event));
    gateway.put(B);
    gateway.cut();
    await directory.close();
    await pause(50);
    expect(events).toStrictEqual([]);
    expect(happenings).toStrictEqual([]);
  });

  it('has no timer left, though it waited for a second look at a list that has shrunk', async () => {
    const { gateway, directory } = await scenario.follow([A, B], { probeIntervalMs: 60_000 });
    gateway.answers.term += 1;
    const timers = timersOf('etcd');
    gateway.delete(A);
    await until('it is seen', () => timers.pending() === 1);
    await directory.close();
    await until('no timer is left', () => timers.pending() === 0, 500);
    timers.stop();
  });

  it('rejects what is being registered in that very moment, and lists it no more', async () => {
    for (let delayMs = 0; delayMs < 12; delayMs += 0.5) {
      const { gateway, directory } = await scenario.follow();
      const outcome = Promise.allSettled([directory.register(A)]);
      const closeAt = performance.now() + delayMs;
      while (performance.now() < closeAt) await new Promise(setImmediate);
      await directory.close();
      const [registering] = await outcome;
      if (registering.status === 'fulfilled') expect(registering.value.state).toBe('closed');
      else expect(String(registering.reason)).toBe('Error: the registration is closed');
      expect(gateway.endpoints).toStrictEqual([]);
      expect(directory.status()).toMatchObject({ state: 'closed' });
    }
  });
});
