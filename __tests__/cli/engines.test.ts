import supertest from 'supertest';
import { startDnsServer, type DnsServer } from '../support/dns/dns-server.js';
import { anyPort, runUntilAsked } from '../support/process/running-server.js';

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

  it('lists what the DNS says, and stops cleanly', async () => {
    const { exitCode } = await runUntilAsked(await args(), async (url) => {
      expect((await supertest(url).get(CLUSTER)).text).toBe(
        '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a.example:8529"}]}',
      );
    });
    expect(exitCode).toBe(0);
  });

  it('lists itself, too, when it knows its own address', async () => {
    await runUntilAsked(await args('--cluster.my-address', 'tcp://me.example'), async (url) => {
      expect((await supertest(url).get(CLUSTER)).body).toMatchObject({
        endpoints: [{ endpoint: 'tcp://a.example:8529' }, { endpoint: 'tcp://me.example:8529' }],
      });
    });
  });

  it('asks the DNS of the system when it is told no other', async () => {
    const [endpoint = '', port = ''] = await anyPort();
    const args = [
      endpoint,
      port,
      '--cluster.my-role',
      'COORDINATOR',
      '--cluster.my-srv-name',
      '_arangodb._tcp.invalid',
    ];
    // Whether that one answers, this test cannot know.
    await runUntilAsked(args, () => Promise.resolve()).catch(() => undefined);
    expect(dns.questions).toEqual({ udp: 0, tcp: 0 });
  });

  it('exits with 1 and one line when the DNS does not answer', async () => {
    dns.reply({ rcode: 'REFUSED' });
    await expect(runUntilAsked(await args(), () => Promise.resolve())).rejects.toThrow(/^exited with 1: .*REFUSED/);
  });
});
