import { once } from 'node:events';
import { Agent, get } from 'node:https';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import type { TestCluster } from '../../lib/testing/index.js';
import { createAuthority, selfSigned } from '../../lib/testing/issue-certificate.js';
import { runCommand } from '../support/process/command.js';
import { until } from '../support/until.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { clusters, CLUSTER_ROUTE, listing } from '../support/testing/cluster.js';
import { watchConnection } from '../support/testing/wire.js';

const start = clusters();
const file = useScratchFolder();

/** Status and body of the cluster route, or the code of what went wrong; on a connection of its own. */
function ask(cluster: TestCluster, url = cluster.urls[0], agent = new Agent({ keepAlive: false })): Promise<unknown> {
  return new Promise((resolve) => {
    get(String(url) + CLUSTER_ROUTE, { ca: String(cluster.ca), agent }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.once('end', () => resolve([res.statusCode, JSON.parse(body)]));
    }).once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

describe('With ssl a cluster', () => {
  it('speaks TLS, with certificates of an authority that clients can trust', async () => {
    const cluster = await start({ ssl: true });
    expect(cluster.urls[0]).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(cluster.endpoints[0]).toMatch(/^ssl:\/\/127\.0\.0\.1:\d+$/);
    for (const url of [...cluster.urls, cluster.urls[0]?.replace('127.0.0.1', 'localhost')]) {
      expect(await ask(cluster, url)).toEqual([200, listing(cluster.endpoints)]);
    }
  });

  it('has an authority of its own', async () => {
    const [one, other] = [await start({ ssl: true }), await start({ ssl: true })];
    expect(await ask({ ...one, ca: other.ca })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it.each([
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const)('can show a certificate that is bad in one way: %s', async (certificate, code) => {
    const cluster = await start({ ssl: true });
    const trouble = cluster.trouble({ kind: 'tls', certificate, coordinator: 1, times: 2 });
    expect(await ask(cluster)).toEqual([200, listing(cluster.endpoints)]);
    expect([await ask(cluster, cluster.urls[1]), await ask(cluster, cluster.urls[1])]).toEqual([code, code]);
    expect(trouble.met).toBe(2);
    expect(await ask(cluster, cluster.urls[1])).toEqual([200, listing(cluster.endpoints)]);
    expect(cluster.coordinators[1]?.requests).toHaveLength(1);
  });

  it('ends open connections when such a trouble is set, so that the next request begins with a handshake', async () => {
    const cluster = await start({ ssl: true, coordinators: 1 });
    const agent = new Agent({ keepAlive: true });
    expect(await ask(cluster, cluster.urls[0], agent)).toEqual([200, listing(cluster.endpoints)]);
    await until('the connection waits', () => Object.keys(agent.freeSockets).length === 1);
    cluster.trouble({ kind: 'tls', certificate: 'expired', times: 1 });
    await until('the connection has ended', () => Object.keys(agent.freeSockets).length === 0);
    expect(await ask(cluster, cluster.urls[0], agent)).toBe('CERT_HAS_EXPIRED');
    agent.destroy();
  });

  it('lets requests that are under way have their answer when such a trouble is set', async () => {
    const cluster = await start({ ssl: true, coordinators: 1 });
    const agent = new Agent({ keepAlive: true });
    cluster.trouble({ kind: 'delay', milliseconds: 50 });
    const answer = ask(cluster, cluster.urls[0], agent);
    await until('the request is there', () => cluster.requests.length === 1);
    cluster.trouble({ kind: 'tls', certificate: 'expired' });
    expect(await answer).toEqual([200, listing(cluster.endpoints)]);
    await until('the connection has ended', () => Object.keys(agent.freeSockets).length === 0);
    expect(await ask(cluster, cluster.urls[0], agent)).toBe('CERT_HAS_EXPIRED');
    agent.destroy();
  });

  it('has the other troubles too, a reset of the TCP connection among them', async () => {
    const cluster = await start({ ssl: true });
    cluster.trouble({ kind: 'reset', at: 'in-head', times: 1 });
    cluster.trouble({ kind: 'status', status: 503, times: 1 });
    expect(await ask(cluster)).toBe('ECONNRESET');
    expect(await ask(cluster)).toMatchObject([503, { errorNum: 503 }]);
  });

  it('ends the connection of a client that does not speak TLS', async () => {
    const cluster = await start({ ssl: true });
    const seen = await watchConnection(String(cluster.urls[0]), CLUSTER_ROUTE, { ends: true });
    expect(seen.end).toBe('closed');
    expect(cluster.requests).toEqual([]);
    expect(await ask(cluster)).toEqual([200, listing(cluster.endpoints)]);
  });

  it('agrees on http/1.1 by ALPN, and refuses a client that speaks only something else', async () => {
    const { ca, urls } = await start({ ssl: true, coordinators: 1 });
    const agreed = async (...ALPNProtocols: string[]): Promise<unknown> => {
      const socket = connect({
        port: Number(new URL(String(urls[0])).port),
        host: '127.0.0.1',
        ca: String(ca),
        ALPNProtocols,
      });
      const outcome = await once(socket, 'secureConnect').then(
        () => socket.alpnProtocol,
        (error: unknown) => (error as NodeJS.ErrnoException).code,
      );
      socket.destroy();
      return outcome;
    };
    expect(await agreed('h2', 'http/1.1')).toBe('http/1.1');
    expect(await agreed('h2')).toBe('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
  });

  it('completes no handshake while it is frozen, and all of them once it is started', async () => {
    const cluster = await start({ ssl: true });
    await cluster.coordinators[0]?.freeze();
    const answer = ask(cluster);
    const nothing = new Promise((resolve) => setTimeout(resolve, 50, 'nothing'));
    expect(await Promise.race([answer, nothing])).toBe('nothing');
    await cluster.coordinators[0]?.start();
    expect(await answer).toEqual([200, listing(cluster.endpoints)]);
  });
});

describe('A certificate', () => {
  const validity = { notBefore: new Date('2025-01-02T03:04:05Z'), notAfter: new Date('2049-12-31T23:59:59Z') };
  const names = ['localhost', '127.0.0.1', '::1', '2001:db8::a:1', '::', '1:2:3:4:5:6:7:8', 'fe80::'];

  it('says what it was made for, and by whom', () => {
    const authority = createAuthority('test authority', validity);
    const { key, cert } = authority.issue({ names, ...validity });
    const [ca, leaf] = [new X509Certificate(authority.cert), new X509Certificate(cert)];
    expect([ca.subject, ca.issuer, ca.ca, leaf.ca]).toEqual(['CN=test authority', 'CN=test authority', true, false]);
    expect([leaf.subject, leaf.issuer]).toEqual(['CN=localhost', 'CN=test authority']);
    expect([leaf.validFrom, leaf.validTo]).toEqual(['Jan  2 03:04:05 2025 GMT', 'Dec 31 23:59:59 2049 GMT']);
    expect(leaf.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:0:A:1, ' +
        'IP Address:0:0:0:0:0:0:0:0, IP Address:1:2:3:4:5:6:7:8, IP Address:FE80:0:0:0:0:0:0:0',
    );
    expect([ca.verify(ca.publicKey), leaf.verify(ca.publicKey), leaf.checkIssued(ca)]).toEqual([true, true, true]);
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    for (const name of names.slice(1)) expect(leaf.checkIP(name)).toBe(name);
  });

  it('can be signed by its own key', () => {
    const leaf = new X509Certificate(selfSigned({ names: ['localhost'], ...validity }).cert);
    expect([leaf.subject, leaf.issuer, leaf.verify(leaf.publicKey)]).toEqual(['CN=localhost', 'CN=localhost', true]);
  });

  it('can be for more names than fit into a length of one byte', () => {
    const authority = createAuthority('test authority', validity);
    for (const count of [10, 12, 20, 500]) {
      const many = Array.from({ length: count }, (_, index) => `host-${String(index)}.example`);
      const leaf = new X509Certificate(authority.issue({ names: many, ...validity }).cert);
      expect(leaf.subjectAltName?.split(', ')).toEqual(many.map((name) => `DNS:${name}`));
    }
  });

  it('passes the strict checks of OpenSSL, which Python 3.13 does by default', async () => {
    const authority = createAuthority('test authority', validity);
    const [ca, leaf] = [file('ca.pem'), file('leaf.pem')];
    writeFileSync(ca, authority.cert);
    writeFileSync(leaf, authority.issue({ names, ...validity }).cert);
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_ip', '127.0.0.1', '-CAfile', ca, leaf];
    await expect(runCommand('openssl', args, { cwd: '.' })).resolves.toBe(`${leaf}: OK\n`);
  });

  it('is enough for a handshake of TLS 1.2 and of TLS 1.3', async () => {
    const cluster = await start({ ssl: true, coordinators: 1 });
    const port = Number(new URL(String(cluster.urls[0])).port);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const versions = { minVersion: version, maxVersion: version };
      const socket = connect({ port, host: '127.0.0.1', ca: String(cluster.ca), ...versions });
      await once(socket, 'secureConnect');
      expect([socket.getProtocol(), socket.authorized]).toEqual([version, true]);
      socket.destroy();
    }
  });
});
