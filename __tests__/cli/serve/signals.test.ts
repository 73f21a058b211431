import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import supertest from 'supertest';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { etcdScenario } from '../../support/etcd/etcd-scenario.js';
import { listed } from '../../support/gateway/gateways.js';
import { startDnsServer } from '../../support/dns/dns-server.js';
import { startCoordinator } from '../../support/upstream/coordinator.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { freePort } from '../../support/process/free-port.js';
import { anyPort } from '../../support/process/running-server.js';
import { useScratchFolder } from '../../support/process/scratch-folder.js';
import { turnedClock } from '../../support/turned-clock.js';
import { until } from '../../support/until.js';

const PREFIX = 'express-endpoint-listing: ';
const OWN = 'tcp://own.example:8529';

const scenario = etcdScenario();
const inFolder = useScratchFolder();

const registering = (agency: string, ...more: string[]): string[] => [
  ...['--server.endpoint', 'tcp://127.0.0.1:0', '--cluster.my-role', 'COORDINATOR', '--cluster.my-address', OWN],
  ...['--cluster.agency-endpoint', agency, ...more],
];

/** The first address that a server has printed. */
const urlOf = async (terminal: FakeTerminal): Promise<string> => {
  await terminal.until(/^try: curl/);
  return (terminal.lines[1] ?? '').trim().replace('tcp:', 'http:');
};

describe('A signal before the server is ready', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s stops it from the first moment on, with nothing left behind', async (signal) => {
    const socket = inFolder('early.sock');
    const terminal = new FakeTerminal();
    const done = runServer(['--server.endpoint', `unix://${socket}`], terminal);
    terminal.emit(signal);
    expect(await done).toBe(0);
    expect([terminal.lines, terminal.complaints, terminal.eventNames()]).toEqual([['stopped'], [], []]);
    expect(existsSync(socket)).toBe(false);
  });

  it('SIGTERM ends the wait for a registry', async () => {
    const agency = `http://127.0.0.1:${String(await freePort())}`;
    const terminal = new FakeTerminal();
    const done = runServer(registering(agency, '--cluster.wait=3600'), terminal);
    await terminal.until(/retrying/);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
    expect(terminal.lines).toEqual(['stopped']);
  });

  it('SIGTERM ends the opening of a list whose etcd or DNS server is silent', async () => {
    const etcd = createServer().listen(0, '127.0.0.1');
    const dns = createSocket('udp4').bind(0, '127.0.0.1');
    await Promise.all([once(etcd, 'listening'), once(dns, 'listening')]);
    const { port } = etcd.address() as AddressInfo;
    const server = `--cluster.dns-server=127.0.0.1:${String(dns.address().port)}`;
    for (const [args, asked] of [
      [registering(`http://127.0.0.1:${String(port)}`), once(etcd, 'connection')],
      [['--cluster.my-role=COORDINATOR', '--cluster.my-srv-name=_a._tcp.example', server], once(dns, 'message')],
    ] as const) {
      const terminal = new FakeTerminal();
      const done = runServer(args, terminal);
      await asked;
      terminal.emit('SIGTERM');
      expect(await done).toBe(0);
      expect(terminal.lines).toEqual(['stopped']);
    }
    etcd.close();
    dns.close();
  });

  it('SIGTERM in the middle of the registration leaves no key behind', async () => {
    const gateway = await scenario.gateway();
    const terminal = new FakeTerminal();
    gateway.override = ({ path }) => {
      if (path === '/v3/lease/grant') terminal.emit('SIGTERM');
      return false;
    };
    expect(await runServer(registering(gateway.url), terminal)).toBe(0);
    expect(gateway.endpoints).toEqual([]);
    expect(terminal.lines).toEqual(['stopped']);
  });

  it('SIGHUP reads the configuration again once it is ready', async () => {
    const gateway = await scenario.gateway();
    const terminal = new FakeTerminal();
    const done = runServer(registering(gateway.url), terminal);
    terminal.emit('SIGHUP');
    terminal.emit('SIGHUP');
    await terminal.until(/configuration reloaded/);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
    expect(terminal.complaints.filter((line) => line.includes('reloaded'))).toHaveLength(1);
  });
});

describe('The stop at SIGTERM', () => {
  const clock = turnedClock();

  it.each<[string, () => Promise<[args: string[], close: () => Promise<void>]>]>([
    [
      'etcd',
      async () => {
        const gateway = await scenario.gateway();
        gateway.put('tcp://other.example:8529');
        return [[`--cluster.agency-endpoint=${gateway.url}`], () => Promise.resolve()];
      },
    ],
    [
      'a name in DNS',
      async () => {
        const records = ['own.example', 'other.example'].map((target) => ({ target, port: 8529 }));
        const dns = await startDnsServer({ records });
        return [['--cluster.my-srv-name=_a._tcp.example', `--cluster.dns-server=${dns.address}`], () => dns.close()];
      },
    ],
    [
      'an upstream',
      async () => {
        const upstream = await startCoordinator([OWN, 'tcp://other.example:8529']);
        return [[`--cluster.upstream=${upstream.url}`], () => upstream.close()];
      },
    ],
    [
      'a fixed list',
      () => {
        const list = [`--cluster.coordinator=${OWN}`, '--cluster.coordinator=tcp://other.example:8529'];
        return Promise.resolve([list, () => Promise.resolve()]);
      },
    ],
  ])(
    'takes the server first off a list that comes from %s, serves for --shutdown-delay seconds, and closes',
    async (_source, open) => {
      const [args, close] = await open();
      const terminal = new FakeTerminal();
      const own = [...(await anyPort()), '--cluster.my-role=COORDINATOR', `--cluster.my-address=${OWN}`];
      const done = runServer([...own, ...args, '--shutdown-delay=60'], terminal);
      const url = await urlOf(terminal);
      await until(
        'both are listed',
        async () => String(((await listed(url)) as string[]).sort()) === `tcp://other.example:8529,${OWN}`,
      );
      terminal.emit('SIGTERM');
      await terminal.until(/serving for another 60 s/);
      expect(await listed(url)).toEqual(['tcp://other.example:8529']);
      await clock.turn(60_000);
      expect(await done).toBe(0);
      await expect(listed(url)).rejects.toThrow('ECONNREFUSED');
      expect(terminal.lines.at(-1)).toBe('stopped');
      await close();
    },
  );

  it('is not cut short by SIGTERM, SIGHUP or the second half of a Ctrl-C', async () => {
    const terminal = new FakeTerminal();
    const done = runServer(['--server.endpoint', 'tcp://127.0.0.1:0', '--shutdown-delay=60'], terminal);
    const url = await urlOf(terminal);
    terminal.emit('SIGINT');
    await terminal.until(/serving for another/);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(terminal.emit(signal)).toBe(true);
    expect((await supertest(url).get('/_api/endpoint')).status).toBe(200);
    await clock.turn(60_000);
    expect(await done).toBe(0);
    expect(terminal.complaints).toEqual([`${PREFIX}serving for another 60 s`]);
  });

  it('takes the delay that the last SIGHUP has brought', async () => {
    await writeFile(inFolder('delay.conf'), '[server]\nendpoint = tcp://127.0.0.1:0\n');
    const terminal = new FakeTerminal(inFolder('.'));
    const done = runServer(['-c', 'delay.conf'], terminal);
    await urlOf(terminal);
    await writeFile(inFolder('delay.conf'), 'shutdown-delay = 1\n[server]\nendpoint = tcp://127.0.0.1:0\n');
    terminal.emit('SIGHUP');
    await terminal.until(/configuration reloaded: changed shutdown-delay$/);
    terminal.emit('SIGTERM');
    expect(await terminal.until(/serving for another/)).toBe(`${PREFIX}serving for another 1 s`);
    await clock.turn(1000);
    expect(await done).toBe(0);
  });
});

describe('A server that logs JSON', () => {
  it('prints nothing else: what it is and that it has stopped are events', async () => {
    const terminal = new FakeTerminal();
    const args = ['--server.endpoint', 'tcp://127.0.0.1:0', '--log.format', 'json', '--log.level=debug'];
    const done = runServer(args, terminal);
    const ready = JSON.parse(await terminal.until(/"event":"ready"/)) as { endpoints: string[] };
    expect(ready).toMatchObject({ level: 'info', version: '0.1.0', role: 'single' });
    expect(ready.endpoints).toEqual([expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:[1-9]\d*$/)]);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
    const events = terminal.complaints.map((line) => (JSON.parse(line) as { event: string }).event);
    expect([terminal.lines, events]).toEqual([[], ['ready', 'stopping', 'stopped']]);
  });

  it('says so in JSON, too, when it cannot start', async () => {
    const terminal = new FakeTerminal();
    expect(await runServer(['--server.endpoint=unix:///no/such/folder/a', '--log.format=json'], terminal)).toBe(1);
    expect(terminal.complaints.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', event: 'start-failed' }),
    ]);
  });
});
