import { once } from 'node:events';
import net from 'node:net';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { makeCertificate } from '../support/certificate.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

describe('TLS', () => {
  it('with an own authority and a client certificate, on IPv6, carries list, watch and registration', async () => {
    const [server, client] = [await makeCertificate(), await makeCertificate()];
    const tls = { ...server, ca: client.cert, requestCert: true, rejectUnauthorized: true };
    const gateway = await scenario.gateway('v1', tls, '::1');
    gateway.put(A);
    const directory = await scenario.open([gateway.url], {
      tls: { ca: server.cert, cert: client.cert, key: Buffer.from(client.key), servername: 'localhost' },
    });
    expect(gateway.url).toMatch(/^https:\/\/\[::1\]:/);
    await directory.register(B);
    expect(directory.provider()).toStrictEqual([A, B]);
    await until('the watch works', () => directory.status().events === 1);
  });

  it.each([
    ['https://127.0.0.1', undefined, undefined],
    ['https://localhost', undefined, undefined],
    ['https://127.0.0.1', 'etcd.example', 'etcd.example'],
    ['https://127.0.0.1', '*.etcd.example', 'n1.etcd.example'],
    ['https://localhost', 'etcd.example', 'etcd.example.'],
    ['https://localhost.', undefined, undefined],
  ])('takes %s with a certificate for %s, with servername %s', async (origin, name, servername) => {
    const server = await makeCertificate(name === undefined ? {} : { name });
    const gateway = await scenario.gateway('v1', server);
    gateway.put(A);
    const tls = { ca: server.cert, ...(servername !== undefined && { servername }) };
    const directory = await scenario.open([`${origin}:${String(gateway.port)}`], { tls });
    await directory.register(B);
    expect(directory.provider()).toStrictEqual([A, B]);
    await until('the watch works', () => directory.status().events === 1);
  });

  it.each([
    ['https://127.0.0.1', 'etcd.example', undefined],
    ['https://localhost', 'etcd.example', undefined],
    ['https://127.0.0.1', '*.etcd.example', 'n1.other.etcd.example'],
    ['https://127.0.0.1', '*.etcd.example', 'etcd.example'],
    // A name in the subject alone has not counted for years.
    ['https://localhost', '', undefined],
  ])('refuses %s with a certificate for "%s", with servername %s', async (origin, name, servername) => {
    const server = await makeCertificate({ name });
    const gateway = await scenario.gateway('v1', server);
    const host = `${origin}:${String(gateway.port)}`;
    const tls = { ca: server.cert, ...(servername !== undefined && { servername }) };
    const opening = createEtcdDirectory({ hosts: [host], tls, connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(`etcd ${host}: `);
    expect(gateway.asked).toHaveLength(0);
  });

  it('takes the next host when the certificate of the first one is for another name, or expired', async () => {
    const [good, wrong, old] = await Promise.all([
      makeCertificate(),
      makeCertificate({ name: 'etcd.example' }),
      makeCertificate({ notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }),
    ]);
    const gateways = await Promise.all([wrong, old, good].map((tls) => scenario.gateway('v1', tls)));
    const hosts = gateways.map(({ url }) => url);
    const tls = { ca: [good, wrong, old].map(({ cert }) => cert).join('\n') };
    const options = { tls, connectTimeoutMs: 600_000, retry: { minMs: 600_000, maxMs: 600_000 } };
    const directory = await scenario.open(hosts, options);
    await directory.register(A);
    expect(gateways.map(({ asked }) => asked.length > 0)).toStrictEqual([false, false, true]);

    const refused = createEtcdDirectory({ hosts: hosts.slice(0, 2), tls, connectTimeoutMs: 600_000 });
    await expect(refused).rejects.toThrow(
      /^etcd https:\/\/127\.0\.0\.1:\d+: Hostname\/IP does not match .*; etcd https:\/\/127\.0\.0\.1:\d+: certificate has expired$/,
    );
  });

  it('that hangs in its handshake fails after the time limit, and its connection is closed', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `https://127.0.0.1:${String((server.address() as net.AddressInfo).port)}`;
    const sockets: net.Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket.resume().on('error', () => undefined)));
    const opening = createEtcdDirectory({ hosts: [host], connectTimeoutMs: 500, requestTimeoutMs: 200 });
    await expect(opening).rejects.toThrow(`etcd ${host}: no answer within 200 ms`);
    await until('every connection is closed', () => sockets.length > 0 && sockets.every(({ closed }) => closed));
    server.close();
  });

  it.each([
    ['has a certificate that nobody has signed', true, /: self-signed certificate(?:;|$)/],
    ['does not speak it', false, /: .*(?:wrong version number|packet length)/],
  ])('fails at once when the host %s', async (_what, speaksIt, message) => {
    const gateway = await scenario.gateway('v1', speaksIt ? await makeCertificate() : undefined);
    const hosts = [gateway.url.replace('http:', 'https:')];
    await expect(createEtcdDirectory({ hosts, connectTimeoutMs: 600_000 })).rejects.toThrow(message);
  });
});
