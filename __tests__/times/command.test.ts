import { runCheck } from '../../lib/cli/check/run-check.js';
import { runAlive } from '../../lib/cli/serve/alive.js';
import { runServer } from '../../lib/cli/serve/run-server.js';
import { FakeCheckTerminal } from '../support/check/check-terminal.js';
import { ListedServers } from '../support/check/listed-servers.js';
import { startDnsServer } from '../support/dns/dns-server.js';
import { FakeEtcdGateway } from '../support/etcd/fake-etcd-gateway.js';
import { FakeTerminal } from '../support/process/fake-terminal.js';
import { freePort } from '../support/process/free-port.js';
import { anyPort } from '../support/process/running-server.js';
import { turnedClock } from '../support/turned-clock.js';
import { until } from '../support/until.js';

const clock = turnedClock();
const ROLE = ['--cluster.my-role', 'COORDINATOR'];

/** A command that runs, and what has become of it. */
function start(run: () => Promise<number>): {
  readonly exitCode: () => number | undefined;
  readonly done: Promise<number>;
} {
  let exitCode: number | undefined;
  const done = run().then((code) => (exitCode = code));
  return { exitCode: () => exitCode, done };
}

describe('The server', () => {
  it('serves for --shutdown-delay seconds after leaving the list, and is not ready then', async () => {
    const terminal = new FakeTerminal();
    const status = `127.0.0.1:${String(await freePort())}`;
    const args = [...(await anyPort()), '--shutdown-delay', '60', '--status.endpoint', `tcp://${status}`];
    const { exitCode, done } = start(() => runServer(args, terminal));
    await terminal.until(/^try: curl/);
    terminal.emit('SIGTERM');
    await terminal.until(/serving for another 60 s/);
    const answer = await fetch(`http://${status}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, reason: 'stopping' }]);
    await clock.turn(59_999);
    expect(exitCode()).toBeUndefined();
    await clock.turn(1);
    expect(await done).toBe(0);
  });

  it('ends at once at another Ctrl-C, a second after the first', async () => {
    const terminal = new FakeTerminal();
    const { done } = start(async () => runServer([...(await anyPort()), '--shutdown-delay', '60'], terminal));
    await terminal.until(/^try: curl/);
    terminal.emit('SIGINT');
    await terminal.until(/serving for another/);
    await clock.turn(999);
    expect(terminal.listenerCount('SIGINT')).toBe(1);
    await clock.turn(1);
    // Nobody listens any more: the process has its own behaviour again.
    expect(terminal.listenerCount('SIGINT')).toBe(0);
    await clock.turn(60_000);
    await done;
  });

  it('tries again each second, for --cluster.wait seconds', async () => {
    const dns = await startDnsServer({ rcode: 'REFUSED' });
    const source = ['--cluster.my-srv-name', '_a._tcp.example', '--cluster.dns-server', dns.address];
    const terminal = new FakeTerminal();
    const { exitCode, done } = start(async () =>
      runServer([...(await anyPort()), ...ROLE, ...source, '--cluster.wait', '3'], terminal),
    );
    const waits: number[] = [];
    while (exitCode() === undefined) {
      // Those of 5 s are the limit of each attempt.
      const asked = clock.delays().filter((ms) => ms < 5000);
      waits.push(...asked);
      await clock.turn(asked[0] ?? 0);
    }
    expect([await done, waits]).toEqual([1, [1000, 1000, 1000]]);
    expect(terminal.complaints[0]).toContain('retrying for 3 s');
    await dns.close();
  });

  it.each([
    ['5', [], 2500],
    ['--cluster.health-check-interval', ['--cluster.health-check-interval', '60'], 30_000],
  ])('checks each endpoint every %s seconds, for the first time anywhere in them', async (_what, more, halfMs) => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const list = ['--cluster.coordinator', `tcp://127.0.0.1:${String(await freePort())}`];
    const terminal = new FakeTerminal();
    const { done } = start(async () =>
      runServer([...(await anyPort()), ...ROLE, ...list, '--cluster.health-check', 'true', ...more], terminal),
    );
    await terminal.until(/^try: curl/);
    expect(clock.delays()).toContain(halfMs);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it('registers with a lease of --cluster.agency-ttl seconds, 15 by default', async () => {
    const etcd = new FakeEtcdGateway();
    const agency = ['--cluster.agency-endpoint', await etcd.listen(), '--cluster.my-address', 'tcp://a:1'];
    for (const more of [[], ['--cluster.agency-ttl', '60']]) {
      const terminal = new FakeTerminal();
      const { done } = start(async () => runServer([...(await anyPort()), ...ROLE, ...agency, ...more], terminal));
      await terminal.until(/^try: curl/);
      terminal.emit('SIGTERM');
      expect(await done).toBe(0);
    }
    await etcd.kill();
    const grants = etcd.asked.filter(({ path }) => path === '/v3/lease/grant');
    expect(grants.map(({ body }) => body)).toEqual([{ TTL: '15' }, { TTL: '60' }]);
  });
});

it('alive waits 3 s for the answer', async () => {
  const servers = new ListedServers();
  const silent = ['--status.endpoint', await servers.connections(() => undefined)];
  const { exitCode, done } = start(() => runAlive(silent, new FakeTerminal()));
  await clock.turn(2999);
  expect(exitCode()).toBeUndefined();
  await clock.turn(1);
  expect(await done).toBe(1);
  await servers.close();
});

it('check --watch checks again every 2 s', async () => {
  const servers = new ListedServers();
  const asked = await servers.plain();
  servers.list = [asked];
  const terminal = new FakeCheckTerminal();
  const { done } = start(() => runCheck(['--watch', '--timeout', '60000', asked], terminal));
  const reports = (): number => terminal.stdout.text.split('can be used from here').length - 1;
  await until('the first report', () => reports() === 1);
  await clock.turn(1999);
  expect(clock.delays()).toEqual([2000, 60_000]);
  await clock.turn(1);
  await until('the second report', () => reports() === 2);
  terminal.emit('SIGINT');
  expect(await done).toBe(0);
  await servers.close();
});
