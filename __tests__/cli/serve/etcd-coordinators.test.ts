import { writeFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import supertest from 'supertest';
import { makeCertificate } from '../../support/certificate.js';
import { etcdScenario } from '../../support/etcd/etcd-scenario.js';
import { EtcdError } from '../../support/etcd/fake-etcd-answers.js';
import { reply, type FakeEtcdGateway } from '../../support/etcd/fake-etcd-gateway.js';
import { gateways, listed } from '../../support/gateway/gateways.js';
import { freePort } from '../../support/process/free-port.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';
import { until } from '../../support/until.js';

const CLUSTER = '/_api/cluster/endpoints';
const OWN = 'tcp://own.example:8529';
const OTHER = 'tcp://other.example:8529';
const PREFIX = 'express-endpoint-listing: ';

const scenario = etcdScenario();
const { refusal, scratchFile } = gateways();

const coordinator = async (agency: string, ...more: string[]): Promise<string[]> => [
  ...(await anyPort()),
  ...['--cluster.my-role', 'COORDINATOR', '--cluster.my-address', OWN, '--cluster.agency-endpoint', agency, ...more],
];

/** The one line of a coordinator that cannot start. */
const failure = async (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> => {
  const lines = await refusal(args, env);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
};

/** The keep-alive of another member is not this test's matter: its key stands there without a lease. */
async function withOther(): Promise<FakeEtcdGateway> {
  const gateway = await scenario.gateway();
  gateway.put(OTHER);
  return gateway;
}

describe('A coordinator with --cluster.agency-endpoint', () => {
  it('registers its address, lists everyone registered, and takes itself off the list when it is stopped', async () => {
    const gateway = await withOther();
    const status = `127.0.0.1:${String(await freePort())}`;
    const args = await coordinator(gateway.url, `--status.endpoint=tcp://${status}`);
    const { exitCode, terminal } = await runUntilAsked(args, async (url) => {
      expect(gateway.endpoints).toEqual([OTHER, OWN]);
      expect((await supertest(`http://${status}`).get('/metrics')).text).toContain('\nendpoint_listing_registered 1\n');
      await until('it lists both', async () => JSON.stringify(await listed(url)).includes(OWN));
      const { text, headers } = await supertest(url).get(CLUSTER);
      expect(text).toBe(
        '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://other.example:8529"},{"endpoint":"tcp://own.example:8529"}]}',
      );
      expect(headers).not.toHaveProperty('x-endpoint-list-age');
    });
    expect(gateway.endpoints).toEqual([OTHER]);
    expect(exitCode).toBe(0);
    expect(terminal.complaints).toEqual(
      expect.arrayContaining([`${PREFIX}registered as ${OWN}`, `${PREFIX}coordinators: ${OTHER} ${OWN}`]),
    );
  });

  it('registers the advertised endpoint when it has one, and follows who comes and goes', async () => {
    const gateway = await withOther();
    const advertised = ['--cluster.my-advertised-endpoint', 'ssl://public.example:443'];
    await runUntilAsked(await coordinator(gateway.url, ...advertised), async (url, terminal) => {
      expect(gateway.endpoints).toEqual(['ssl://public.example:443', OTHER]);
      expect(await listed(url)).toEqual(['ssl://public.example:443', OTHER]);
      gateway.delete(OTHER);
      await terminal.until(/coordinators: ssl:\/\/public\.example:443$/);
      expect(await listed(url)).toEqual(['ssl://public.example:443']);
    });
  });

  it('registers again when its entry is gone, and says so', async () => {
    const gateway = await withOther();
    await runUntilAsked(await coordinator(gateway.url), async (url, terminal) => {
      gateway.delete(OWN);
      await terminal.until(/registered again/);
      expect(gateway.endpoints).toEqual([OTHER, OWN]);
      expect(terminal.complaints).toEqual(
        expect.arrayContaining([
          `${PREFIX}warn: no longer registered as ${OWN}: etcd deleted the key`,
          `${PREFIX}registered again as ${OWN}`,
        ]),
      );
      // It has been alive all the time, so it has stood in its own list all the time.
      expect(terminal.complaints).not.toContain(`${PREFIX}coordinators: ${OTHER}`);
      expect(await listed(url)).toEqual([OTHER, OWN]);
    });
  });

  it('logs every attempt to renew its registration with --log.level debug', async () => {
    const gateway = await withOther();
    const args = await coordinator(gateway.url, '--cluster.agency-ttl=1', '--log.level=debug');
    await runUntilAsked(args, async (_, terminal) => {
      await gateway.kill();
      await terminal.until(/cannot renew the registration as tcp:\/\/own\.example:8529 now: /);
    });
  });

  it('exits with 1 and one line when no agency answers', async () => {
    // This is the test that waits for a limit.
    jest.restoreAllMocks();
    const agency = `http://127.0.0.1:${String(await freePort())}`;
    expect(await failure(await coordinator(agency))).toMatch(new RegExp(`${agency}: .*ECONNREFUSED`));
  });
});

describe('The options of etcd', () => {
  it('--cluster.agency-user takes its password from the environment', async () => {
    const gateway = await withOther();
    gateway.auth = { name: 'listing', password: 's3cr3t', tokens: new Set() };
    const args = await coordinator(gateway.url, '--cluster.agency-user', 'listing');
    const env = { ENDPOINT_LISTING_AGENCY_PASSWORD: 's3cr3t' };
    const { terminal } = await runUntilAsked(
      args,
      async (url) => {
        expect(await listed(url)).toEqual([OTHER, OWN]);
      },
      { env },
    );
    expect(terminal.complaints.join()).not.toContain('s3cr3t');

    const wrong = await failure(args, { ENDPOINT_LISTING_AGENCY_PASSWORD: 'wr0ng' });
    expect(wrong).toBe(
      `etcd ${gateway.url}: etcdserver: authentication failed, invalid user ID or password; ` +
        'cluster.agency-user or the password in ENDPOINT_LISTING_AGENCY_PASSWORD is wrong',
    );
    const line = await failure(args, { ENDPOINT_LISTING_AGENCY_PASSWORD: 's3cr3t\n' });
    expect(line).toBe(
      `ENDPOINT_LISTING_AGENCY_PASSWORD has a line break in it: base64 and files add one, tr -d '\\n' removes it`,
    );
    // Another attempt would get the same answer.
    const none = await failure(await coordinator(gateway.url, '--cluster.wait=60'));
    expect(none).toBe(
      `etcd ${gateway.url}: etcdserver: user name is empty; ` +
        'set cluster.agency-user, and its password in ENDPOINT_LISTING_AGENCY_PASSWORD',
    );
    const missing = `cluster.agency-user needs its password in ENDPOINT_LISTING_AGENCY_PASSWORD`;
    expect(await failure(args)).toBe(missing);
    expect(await failure(args, { ENDPOINT_LISTING_AGENCY_PASSWORD: '' })).toBe(missing);
  });

  it('--cluster.agency-prefix and --cluster.agency-ttl are those of the registration', async () => {
    const gateway = await scenario.gateway();
    const args = await coordinator(gateway.url, '--cluster.agency-prefix=/mine/', '--cluster.agency-ttl=30');
    await runUntilAsked(args, async (url) => {
      expect(await listed(url)).toEqual([OWN]);
    });
    const puts = gateway.asked.filter(({ path }) => path === '/v3/kv/txn' || path === '/v3/kv/put');
    expect(JSON.stringify(puts.map(({ body }) => body))).toContain(Buffer.from(`/mine/${OWN}`).toString('base64'));
    const grants = gateway.asked
      .filter(({ path }) => path === '/v3/lease/grant')
      .map(({ body }) => Number(body['TTL']));
    expect(grants).toEqual([30]);
  });

  it('--cluster.agency-cafile and --cluster.agency-keyfile are for https', async () => {
    const authority = await makeCertificate({ name: 'authority', isAuthority: true });
    const server = await makeCertificate({ ca: authority });
    const client = await makeCertificate({ ca: authority });
    await writeFile(scratchFile('ca.pem'), authority.cert);
    await writeFile(scratchFile('client.pem'), `${client.cert}\n${client.key}`);
    const tls = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    const gateway = await scenario.gateway('v1', tls);
    const names = ['--cluster.agency-cafile=ca.pem', '--cluster.agency-keyfile', 'client.pem'];
    await runUntilAsked(
      await coordinator(gateway.url, ...names),
      async (url) => {
        expect(await listed(url)).toEqual([OWN]);
        const socket = gateway.asked[0]?.req.socket as TLSSocket;
        expect(socket.authorized).toBe(true);
      },
      { folder: scratchFile('.') },
    );
    expect(await failure(await coordinator(gateway.url))).toMatch(
      /certificate.*; name the authority of the certificate with --cluster\.agency-cafile$/i,
    );
    for (const name of ['cafile=ca.pem', 'keyfile=client.pem']) {
      const plain = await coordinator('http://127.0.0.1:1', `--cluster.agency-${name}`);
      expect(await failure(plain)).toContain('must be https:// hosts with option tls');
    }
    const missing = await coordinator(gateway.url, '--cluster.agency-cafile=missing.pem');
    expect(await failure(missing)).toBe(
      `cluster.agency-cafile cannot be read: ENOENT: no such file or directory, open '${scratchFile('missing.pem')}'`,
    );
  });
});

describe('A coordinator whose etcd is unreachable at startup', () => {
  it.each([
    ['/v3/kv/range', 'etcd unreachable'],
    ['/v3/lease/grant', `cannot register as ${OWN}`],
  ])('keeps trying for --cluster.wait seconds, and starts when %s is answered', async (path, what) => {
    const gateway = await scenario.gateway();
    gateway.override = ({ path: asked, res }) => {
      if (asked !== path || gateway.count(path) > 2) return false;
      reply(res, 400, { code: 3, message: 'not yet' });
      return true;
    };
    const { terminal } = await runUntilAsked(await coordinator(gateway.url, '--cluster.wait=60'), async (url) => {
      expect(await listed(url)).toEqual([OWN]);
    });
    const waiting = terminal.complaints.filter((text) => text.includes('retrying'));
    expect(waiting).toEqual([expect.stringMatching(new RegExp(`warn: ${what}, retrying for 60 s: .*not yet`))]);
  });

  it('does not wait for a permission that it does not have, and says what it needs', async () => {
    const gateway = await scenario.gateway();
    gateway.instead(new EtcdError(7, 'etcdserver: permission denied', 403), '/v3/lease/grant');
    const log = await refusal(await coordinator(gateway.url, '--cluster.wait=60'));
    expect(log.at(-1)).toBe(
      `etcd ${gateway.url}: etcdserver: permission denied; ` +
        'cluster.agency-user needs permission to read and write the keys of cluster.agency-prefix',
    );
  });

  it('does not wait for what another attempt cannot change', async () => {
    const args = await coordinator('http://127.0.0.1:1', '--cluster.wait=60', '--cluster.agency-cafile=/dev/null');
    expect(await failure(args)).toContain('cluster.agency-cafile is refused: there is no certificate in /dev/null');
  });
});
