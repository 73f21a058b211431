import { Resolver, getServers } from 'node:dns/promises';
import { createSrvDirectory } from '../../lib/dns-srv/index.js';
import { manyRecords, next, polled, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { serve, list, follow } = srvDirectories();

describe('the list from SRV records', () => {
  it('has an endpoint for each record: scheme, target and port', async () => {
    const { directory } = await follow({
      records: [
        { target: 'coordinator-1.example.org.', port: 8529 },
        { target: 'COORDINATOR-2.Example.ORG', port: 8530 },
        { target: '10.0.0.3', port: 65_535 },
      ],
    });
    expect(directory.provider()).toStrictEqual([
      'tcp://10.0.0.3:65535',
      'tcp://coordinator-1.example.org:8529',
      'tcp://coordinator-2.example.org:8530',
    ]);
  });

  it('has the scheme ssl for all with that option', async () => {
    const { directory } = await follow(recordsOf('a.example', 'b.example'), { scheme: 'ssl' });
    expect(directory.provider()).toStrictEqual(['ssl://a.example:8529', 'ssl://b.example:8529']);
  });

  it('holds 1,000 records, which need TCP', async () => {
    const { server, directory } = await follow(manyRecords(1000, 24));
    expect(directory.provider()).toHaveLength(1000);
    expect(directory.provider()[999]).toBe('tcp://c0999.xxxxxxxxxxxxxxxxxx:8529');
    expect(server.requests.tcp).toBeGreaterThanOrEqual(1);
  });

  it('comes from the next server when the first is gone', async () => {
    const gone = await serve('silence');
    const server = await serve(recordsOf('a.example'));
    await gone.close();
    const directory = await list(server, { servers: [gone.address, server.address] });
    expect(directory.provider()).toStrictEqual(['tcp://a.example:8529']);
  });

  it("comes from the system's servers unless others are given", async () => {
    // Nothing but the machine's own DNS could answer, which a test must not ask.
    const asked: string[][] = [];
    const resolveSrv = jest.spyOn(Resolver.prototype, 'resolveSrv').mockImplementation(function (this: Resolver) {
      asked.push(this.getServers());
      return Promise.resolve([{ name: 'a.example', port: 8529, priority: 0, weight: 0 }]);
    });
    try {
      const directory = await createSrvDirectory({ name: 'example.org' });
      await directory.close();
    } finally {
      resolveSrv.mockRestore();
    }
    expect(asked).toStrictEqual([getServers()]);
  });
});

describe('records that name no Coordinator', () => {
  it('are those with the target ".", as the service is not available there (RFC 2782): left out without a word', async () => {
    const { directory } = await follow({
      records: [{ target: '.', port: 0 }, ...recordsOf('a.example').records],
    });
    expect(directory.provider()).toStrictEqual(['tcp://a.example:8529']);
    expect(directory.status()).toMatchObject({ count: 1, skipped: 0 });
    expect(directory.status()).not.toHaveProperty('lastError');
  });

  it('make the list empty at once when the target "." stands alone: that is said on purpose', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    server.reply(recordsOf('.'), 'silence');
    expect(await next(directory, 'change')).toStrictEqual([[]]);
  });

  it('are those that make no endpoint: skipped, counted, and reported once as long as they stay', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    const reported: string[] = [];
    directory.on('skipped', (refusals) => reported.push(...refusals.map(({ message }) => message.split(';')[0] ?? '')));
    server.reply({
      records: [
        { target: 'b.example', port: 8529 },
        { target: 'port.example', port: 0 },
        { target: 'not a host.example', port: 8529 },
        { target: '0.0.0.0', port: 8529 },
        { target: 'user@host.example', port: 8529 },
        { target: 'a/b?c#d.example', port: 8529 },
      ],
    });
    await next(directory, 'skipped');
    await polled(server, 3);
    expect(directory.provider()).toStrictEqual(['tcp://b.example:8529']);
    expect(directory.status()).toMatchObject({ state: 'live', count: 1, skipped: 5 });
    expect(reported).toStrictEqual([
      '"tcp://port.example:0" is not an endpoint: the port is outside 1 to 65535',
      '"tcp://not a host.example:8529" is not an endpoint: it contains a blank or a control character',
      '"tcp://0.0.0.0:8529" is not an endpoint: clients cannot connect to a wildcard address',
      '"tcp://***@host.example:8529" is not an endpoint: it carries a user or a password',
      '"tcp://a/b?***" is not an endpoint: it has a path, a query or a fragment',
    ]);
  });
});

describe('included endpoints', () =>
  it('are always listed, in their canonical form and once', async () => {
    const { server, directory } = await follow(recordsOf('b.example', 'self.example'), {
      include: ['HTTP://Self.example', 'ssl://[0:0::1]:8530'],
    });
    expect(directory.provider()).toStrictEqual(['ssl://[::1]:8530', 'tcp://b.example:8529', 'tcp://self.example:8529']);
    server.reply({ rcode: 'NXDOMAIN' });
    expect(await next(directory, 'change')).toStrictEqual([['ssl://[::1]:8530', 'tcp://self.example:8529']]);
  }));
