import express from 'express';
import request from 'supertest';
import { createEndpointRouter } from '../../lib/index.js';
import { listAge } from '../../lib/dns-srv/index.js';
import type { Reply } from '../support/dns/dns-server.js';
import { next, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { follow } = srvDirectories();
const A = 'tcp://a.example:8529';
const B = 'tcp://b.example:8529';

describe('a DNS server that fails', () => {
  it.each<[string, Reply, string]>([
    ['answers SERVFAIL', { rcode: 'SERVFAIL' }, 'ESERVFAIL'],
    ['answers REFUSED', { rcode: 'REFUSED' }, 'EREFUSED'],
    ['answers FORMERR', { rcode: 'FORMERR' }, 'EFORMERR'],
    ['says nothing', 'silence', 'ETIMEOUT'],
    ['sends half an answer', 'half an answer', 'ETIMEOUT'],
    ['says nothing over TCP, on an open connection', 'silence over TCP', 'ETIMEOUT'],
    ['sends noise', 'noise', 'EBADRESP'],
  ])('as it %s makes the list stale; it is served until there is an answer', async (_how, reply, reason) => {
    const { server, directory } = await follow(recordsOf('a.example'), { timeoutMs: 1000 });
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
  });
});

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

describe('the router in front of a directory', () => {
  it('answers with the list, marks it while it is stale, and answers 503 when it is expired', async () => {
    const { server, directory } = await follow(recordsOf('a.example'), { maxStaleMs: 2000 });
    const app = express();
    app.set('env', 'test');
    app.use(listAge(directory), createEndpointRouter({ role: 'coordinator', endpoints: directory.provider }));
    const listed = '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a.example:8529"}]}';

    const live = await request(app).get('/_api/cluster/endpoints');
    expect([live.status, live.text, live.get('x-endpoint-list-age')]).toStrictEqual([200, listed, undefined]);

    server.reply({ rcode: 'SERVFAIL' });
    await next(directory, 'stale');
    const stale = await request(app).get('/_api/cluster/endpoints');
    expect([stale.status, stale.text]).toStrictEqual([200, listed]);
    expect(stale.get('x-endpoint-list-age')).toMatch(/^[01]$/);

    await next(directory, 'expired');
    const expired = await request(app).get('/_api/cluster/endpoints');
    expect([expired.status, expired.text]).toStrictEqual([
      503,
      '{"code":503,"error":true,"errorMessage":"cluster backend unavailable","errorNum":1478}',
    ]);
  });
});
