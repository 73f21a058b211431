import { eventsOf, etcdScenario } from '../support/etcd/etcd-scenario.js';
import type { FakeEtcdGateway } from '../support/etcd/fake-etcd-gateway.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';
const C = 'tcp://10.0.0.3:8529';

const scenario = etcdScenario();

/** Another leader is elected; the next answer says so. */
function elect(gateway: FakeEtcdGateway): void {
  gateway.answers.term += 1;
}

describe('a list that shrinks after a change of leader', () => {
  it('waits for a second look: members that come back within a second were never gone', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A, B, C);
    const directory = await scenario.open([gateway.url]);
    const events = eventsOf(directory);
    elect(gateway);
    // What a frozen leader does when it thaws, and what the members do about it.
    gateway.delete(A, B);
    await until('it is seen', () => directory.status().events === 2);
    await pause(200);
    expect(directory.provider()).toStrictEqual([A, B, C]);
    gateway.put(A, B);
    await until('it is seen', () => directory.status().events === 4);
    await pause(1100);
    expect(directory.provider()).toStrictEqual([A, B, C]);
    expect(events).toStrictEqual([]);
  });

  it('drops those that have not come back after a second', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A, B, C);
    const directory = await scenario.open([gateway.url]);
    const changes: (readonly string[])[] = [];
    directory.on('change', (endpoints) => changes.push(endpoints));
    elect(gateway);
    const deletedAt = performance.now();
    gateway.delete(A);
    await pause(300);
    gateway.delete(B);
    await until('both are gone', () => directory.provider().length === 1);
    expect(performance.now() - deletedAt).toBeGreaterThanOrEqual(1300);
    // Who stands still for 300 ms sees both go at once.
    expect([[[B, C], [C]], [[C]]]).toContainEqual(changes);
    expect(directory.status()).toMatchObject({ state: 'live', events: 2, relists: 1 });
  });

  it('waits also where the first list of another host is the short one', async () => {
    const [first, second] = [await scenario.gateway(), await scenario.gateway()];
    first.put(A, B);
    second.put(A, B);
    const directory = await scenario.open([first.url, second.url]);
    const events = eventsOf(directory);
    elect(second);
    second.delete(B);
    await first.kill();
    await until('it follows the second', () => events.includes('live'));
    expect(directory.provider()).toStrictEqual([A, B]);
    second.put(B);
    await pause(1100);
    expect(directory.provider()).toStrictEqual([A, B]);
    expect(events).toStrictEqual(['stale', 'live']);
    second.delete(B);
    await until('B is gone', () => directory.provider().join() === A);
  });

  it('does not wait while the leader is the same: who deregisters is gone at once', async () => {
    const gateway = await scenario.gateway();
    const members = Array.from({ length: 6 }, (_, index) => `tcp://10.0.0.${String(index)}:8529`);
    gateway.put(...members);
    const directory = await scenario.open([gateway.url]);
    const times: number[] = [];
    for (let left = 5; left > 0; left -= 1) {
      const deletedAt = performance.now();
      gateway.delete(String(members[left]));
      await until('it is gone', () => directory.provider().length === left);
      times.push(performance.now() - deletedAt);
    }
    // A busy machine may be late, but not each time.
    expect(Math.min(...times)).toBeLessThan(900);
  });

  it('leaves no timer when the directory is closed meanwhile', async () => {
    const gateway = await scenario.gateway();
    gateway.put(A, B);
    const directory = await scenario.open([gateway.url]);
    elect(gateway);
    gateway.delete(A);
    await until('it is seen', () => directory.status().events === 1);
    await directory.close();
  });
});
