import type { Reply } from '../support/dns/dns-server.js';
import { next, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { follow } = srvDirectories();
const A = 'tcp://a.example:8529';
const B = 'tcp://b.example:8529';

describe('a DNS server that fails', () =>
  it.each<[string, Reply, string]>([
    ['answers SERVFAIL', { rcode: 'SERVFAIL' }, 'ESERVFAIL'],
    ['answers REFUSED', { rcode: 'REFUSED' }, 'EREFUSED'],
    ['answers FORMERR', { rcode: 'FORMERR' }, 'EFORMERR'],
    ['says nothing', 'silence', 'ETIMEOUT'],
    ['sends half an answer', 'half an answer', 'ETIMEOUT'],
    ['says nothing over TCP, on an open connection', 'silence over TCP', 'ETIMEOUT'],
    ['sends noise', 'noise', 'EBADRESP'],
  ])('as it %s makes the list stale; it is served until there is an answer', async (_how, reply, reason) => {
    const timeoutMs = reason === 'ETIMEOUT' ? 2000 : 60_000;
    const { server, directory } = await follow(recordsOf('a.example'), { timeoutMs });
    server.reply(reply);
    const [reported] = (await next(directory, 'stale')) as [Error];
    const message = `querySrv ${reason} _arangodb._tcp.example.org (asked: ${server.address})`;
    expect(reported.message).toBe(message);
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status()).toMatchObject({ state: 'stale', count: 1, lastError: message });
    server.reply(recordsOf('b.example'));
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual([B]);
    expect(directory.status()).toMatchObject({ state: 'live', count: 1, lastError: message });
  }));

describe('a name without records', () => {
  const SAID = [
    ['NXDOMAIN', { rcode: 'NXDOMAIN' }],
    ['no records', { rcode: 'NOERROR' }],
  ] as const;

  it.each(SAID)('makes the list empty when two consecutive answers say so: %s', async (_how, reply) => {
    const { server, directory } = await follow(recordsOf('a.example'));
    const before = server.requests.udp;
    server.reply(reply);
    expect(await next(directory, 'change')).toStrictEqual([[]]);
    expect(server.requests.udp - before).toBeGreaterThanOrEqual(2);
    expect(directory.status()).toMatchObject({ state: 'live', count: 0 });
    expect(directory.status()).not.toHaveProperty('lastError');
  });

  it('changes nothing when a failure stands between two answers that say so', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    const events: string[] = [];
    for (const event of ['live', 'stale', 'change'] as const) directory.on(event, () => events.push(event));
    server.reply({ rcode: 'NXDOMAIN' }, { rcode: 'SERVFAIL' }, { rcode: 'NXDOMAIN' }, recordsOf('a.example'));
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual([A]);
    expect(events).toStrictEqual(['stale', 'live']);
  });

  it('ends an outage with an empty list when two consecutive answers say so', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    server.reply({ rcode: 'SERVFAIL' }, { rcode: 'NXDOMAIN' });
    await next(directory, 'live');
    expect(directory.provider()).toStrictEqual([]);
  });
});
