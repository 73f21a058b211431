import supertest from 'supertest';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { startDnsServer, type DnsServer } from '../../support/dns/dns-server.js';
import { listed } from '../../support/gateway/gateways.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';

const CLUSTER = '/_api/cluster/endpoints';

describe('A coordinator with --cluster.my-srv-name', () => {
  let dns: DnsServer;
  beforeEach(async () => {
    dns = await startDnsServer({ records: [{ target: 'a.example', port: 8529 }] });
  });
  afterEach(() => dns.close());

  const args = async (...more: string[]): Promise<string[]> => [
    ...(await anyPort()),
    ...['--cluster.my-role', 'COORDINATOR', '--cluster.my-srv-name', '_arangodb._tcp.example'],
    ...['--cluster.dns-server', dns.address, ...more],
  ];

  it('lists what the DNS says, logs the first list as every other, and stops cleanly', async () => {
    const { exitCode, terminal } = await runUntilAsked(await args(), async (url) => {
      expect((await supertest(url).get(CLUSTER)).text).toBe(
        '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a.example:8529"}]}',
      );
    });
    expect(exitCode).toBe(0);
    expect(terminal.complaints).toEqual(['express-endpoint-listing: coordinators: tcp://a.example:8529']);
  });

  it('warns of a name that has nothing, beside this server itself', async () => {
    dns.reply({ records: [] });
    const { terminal } = await runUntilAsked(await args('--cluster.my-address=tcp://me.example'), () =>
      Promise.resolve(),
    );
    expect(terminal.complaints).toContain(
      'express-endpoint-listing: warn: _arangodb._tcp.example has no SRV records: check the name',
    );
  });

  it('keeps trying for --cluster.wait seconds, with a line for each new reason', async () => {
    dns.reply({ rcode: 'REFUSED' });
    const terminal = new FakeTerminal();
    const done = runServer(await args('--cluster.wait', '60'), terminal);
    const line = await terminal.until(/retrying/);
    expect(line).toMatch(
      /^express-endpoint-listing: warn: no list from DNS, retrying for 60 s: .*REFUSED.* \(asked: 127\.0\.0\.1:\d+\)$/,
    );
    dns.reply({ records: [{ target: 'late.example', port: 1 }] });
    await terminal.until(/^try: curl/);
    expect(terminal.complaints).toEqual([line, 'express-endpoint-listing: coordinators: tcp://late.example:1']);
    terminal.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it('lists itself, too, when it knows its own address, and gives the others the scheme of --cluster.srv-scheme', async () => {
    const more = ['--cluster.my-address', 'tcp://me.example', '--cluster.srv-scheme', 'ssl'];
    await runUntilAsked(await args(...more), async (url) => {
      expect(await listed(url)).toEqual(['ssl://a.example:8529', 'tcp://me.example:8529']);
    });
  });

  it('asks the DNS of the system when no other is named', async () => {
    const args = [
      ...(await anyPort()),
      '--cluster.my-role=COORDINATOR',
      '--cluster.my-srv-name=_arangodb._tcp.invalid',
    ];
    // Whether that one answers, this test cannot know.
    await runUntilAsked(args, () => Promise.resolve()).catch(() => undefined);
    expect(dns.requests).toEqual({ udp: 0, tcp: 0 });
  });

  it('exits with 1 and one line when the DNS does not answer', async () => {
    dns.reply({ rcode: 'REFUSED' });
    await expect(runUntilAsked(await args(), () => Promise.resolve())).rejects.toThrow(/^exited with 1: .*REFUSED/);
  });
});
