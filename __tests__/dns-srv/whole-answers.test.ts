import type { SrvRecord } from 'node:dns';
import { endpointTexts } from '../../lib/dns-srv/srv-directory.js';
import type { SrvSettings } from '../../lib/dns-srv/options.js';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { manyRecords, NAME, next, polled, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { serve, follow } = srvDirectories();

describe('an answer that is too large', () => {
  it('is refused, not cut, when it has more than maxRecords: the last list is served, stale', async () => {
    const { server, directory } = await follow(recordsOf('a.example', 'b.example'), { maxRecords: 2 });
    const before = directory.provider();
    server.reply(recordsOf('a.example', 'b.example', 'c.example'));
    await next(directory, 'stale');
    expect(directory.provider()).toBe(before);
    expect(directory.status()).toMatchObject({
      state: 'stale',
      count: 2,
      lastError: '_arangodb._tcp.example.org has 3 SRV records, more than maxRecords, 2',
    });
    server.reply(recordsOf('b.example', 'c.example'));
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual(['tcp://b.example:8529', 'tcp://c.example:8529']);
  });

  it.each([
    // [records, length of each target, what arrives, bytes]
    [1600, 24, 1488, 65_516],
    [1000, 46, 992, 65_516],
    [3000, 7, 2425, 65_519],
    [300, 253, 239, 65_291],
  ])(
    'is refused, whatever maxRecords is, when it reaches the 64 kB of a DNS message: %i records with targets of %i characters',
    async (count, length, arriving, bytes) => {
      const { server, directory } = await follow(recordsOf('a.example'), { maxRecords: 3000 });
      server.reply(manyRecords(count, length));
      await next(directory, 'stale');
      expect(directory.provider()).toStrictEqual(['tcp://a.example:8529']);
      expect(directory.status().lastError).toBe(
        `the ${String(arriving)} SRV records of _arangodb._tcp.example.org take ${String(bytes)} bytes: the answer may have been cut, as a DNS message holds no more than 65535`,
      );
    },
  );

  it('begins 512 bytes below that limit, where one more record might not have fitted', async () => {
    const { server, directory } = await follow(manyRecords(1476, 24), { maxRecords: 3000 });
    expect(directory.provider()).toHaveLength(1476);
    server.reply(manyRecords(1477, 24));
    await next(directory, 'stale');
    expect(directory.status().lastError).toMatch(
      /^the 1477 SRV records of _arangodb\._tcp\.example\.org take 65032 bytes/,
    );
    await polled(server, 1);
    expect(directory.provider()).toHaveLength(1476);
  });
});

describe('a DNS server that cuts its answers over TCP below 64 kB', () =>
  it('says so in a bit that Node does not show: what arrives is the list', async () => {
    const { server, directory } = await follow({
      ...recordsOf('a.example', 'b.example', 'c.example', 'd.example'),
      limit: 120,
    });
    expect(server.requests).toStrictEqual({ udp: 1, tcp: 1 });
    expect(directory.provider()).toStrictEqual(['tcp://a.example:8529', 'tcp://b.example:8529']);
  }));

describe('a DNS server that cuts its answers over UDP and does not say so', () =>
  it('is asked over TCP alone in a process that runs with RES_OPTIONS=use-vc', async () => {
    const server = await serve(recordsOf('a.example', 'b.example', 'c.example', 'd.example'));
    const script = `
      const resolver = new (require('node:dns').promises.Resolver)();
      resolver.setServers([process.argv[1]]);
      resolver.resolveSrv(process.argv[2]).then((records) => console.log(records.length));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, server.address, NAME], {
      env: { ...process.env, RES_OPTIONS: 'use-vc' },
    });
    expect(stdout).toBe('4\n');
    expect(server.requests).toStrictEqual({ udp: 0, tcp: 1 });
  }));

describe('The size of an answer', () => {
  const settings = { name: '_a._tcp.example', scheme: 'tcp', maxRecords: 3000 } as SrvSettings;
  const recordsWith = (count: number, targetLength: number): SrvRecord[] =>
    Array.from({ length: count }, () => ({ name: 'x'.repeat(targetLength), port: 8529, priority: 0, weight: 0 }));

  it('may be 65,023 bytes, and not one more', () => {
    const most = [...recordsWith(1325, 29), ...recordsWith(1, 45)];
    expect(endpointTexts(most, settings)).toHaveLength(1326);
    const oneMore = [...recordsWith(1325, 29), ...recordsWith(1, 46)];
    expect(() => endpointTexts(oneMore, settings)).toThrow('take 65024 bytes: the answer may have been cut');
  });

  it('counts one byte for the empty name of a record that says that there is no service', () => {
    const records = [...recordsWith(2000, 0), ...recordsWith(999, 7)];
    expect(endpointTexts(records, settings)).toHaveLength(999);
  });
});
