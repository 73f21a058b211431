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

  it('fails at once when the host has a certificate that nobody has signed', async () => {
    const gateway = await scenario.gateway('v1', await makeCertificate());
    const opening = createEtcdDirectory({ hosts: [gateway.url], connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(`etcd ${gateway.url}: self-signed certificate`);
  });

  it('fails at once when the certificate is for another host', async () => {
    const server = await makeCertificate();
    const gateway = await scenario.gateway('v1', server);
    const tls = { ca: server.cert, servername: 'etcd.example' };
    const opening = createEtcdDirectory({ hosts: [gateway.url], tls, connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(`etcd ${gateway.url}: Hostname/IP does not match certificate's altnames`);
  });

  it('fails at once when the host does not speak it', async () => {
    const gateway = await scenario.gateway();
    const url = gateway.url.replace('http:', 'https:');
    const opening = createEtcdDirectory({ hosts: [url], connectTimeoutMs: 600_000 });
    await expect(opening).rejects.toThrow(/^etcd https:\/\/127\.0\.0\.1:\d+: .*(?:wrong version number|packet length)/);
  });
});
