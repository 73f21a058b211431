import supertest from 'supertest';
import { runServer } from '../../lib/cli/run-server.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import type { FakeEtcdGateway } from '../support/etcd/fake-etcd-gateway.js';
import { FakeTerminal } from '../support/process/fake-terminal.js';
import { freePort } from '../support/process/free-port.js';
import { anyPort, runUntilAsked } from '../support/process/running-server.js';
import { until } from '../support/until.js';

const CLUSTER = '/_api/cluster/endpoints';
const OWN = 'tcp://own.example:8529';
const OTHER = 'tcp://other.example:8529';
const PREFIX = 'express-endpoint-listing: ';

const scenario = etcdScenario();

const coordinator = async (agency: string, ...more: string[]): Promise<string[]> => [
  ...(await anyPort()),
  ...['--cluster.my-role', 'COORDINATOR', '--cluster.my-address', OWN, '--cluster.agency-endpoint', agency, ...more],
];

const listed = async (url: string): Promise<unknown> => (await supertest(url).get(CLUSTER)).body as unknown;
const listing = (...endpoints: string[]): object => ({
  error: false,
  code: 200,
  endpoints: endpoints.map((endpoint) => ({ endpoint })),
});

/** The keep-alive of another member is not this test's matter: its key stands there without a lease. */
async function withOther(): Promise<FakeEtcdGateway> {
  const gateway = await scenario.gateway();
  gateway.put(OTHER);
  return gateway;
}

describe('A coordinator with --cluster.agency-endpoint', () => {
  it('registers its address, lists everyone registered, and takes itself off the list when it is stopped', async () => {
    const gateway = await withOther();
    const { exitCode, terminal } = await runUntilAsked(await coordinator(gateway.url), async (url) => {
      expect(gateway.endpoints).toEqual([OTHER, OWN]);
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

  it('registers the advertised endpoint when it has one', async () => {
    const gateway = await withOther();
    const advertised = ['--cluster.my-advertised-endpoint', 'ssl://public.example:443'];
    await runUntilAsked(await coordinator(gateway.url, ...advertised), async (url) => {
      expect(gateway.endpoints).toEqual(['ssl://public.example:443', OTHER]);
      expect(await listed(url)).toEqual(listing('ssl://public.example:443', OTHER));
    });
  });

  it('follows who comes and goes', async () => {
    const gateway = await withOther();
    await runUntilAsked(await coordinator(gateway.url), async (url, terminal) => {
      gateway.delete(OTHER);
      await terminal.until(/coordinators: tcp:\/\/own\.example:8529$/);
      expect(await listed(url)).toEqual(listing(OWN));
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
          `${PREFIX}no longer registered as ${OWN}: etcd deleted the key`,
          `${PREFIX}registered again as ${OWN}`,
        ]),
      );
      // It has been alive all the time, so it has stood in its own list all the time.
      expect(terminal.complaints).not.toContain(`${PREFIX}coordinators: ${OTHER}`);
      expect(await listed(url)).toEqual(listing(OTHER, OWN));
    });
  });

  it('answers from the last list while the agency is away, marked with its age, and confirms it afterwards', async () => {
    const gateway = await withOther();
    const { port } = gateway;
    await runUntilAsked(await coordinator(gateway.url), async (url, terminal) => {
      await gateway.kill();
      await terminal.until(/the list of coordinators is not confirmed any more: /);
      const stale = await supertest(url).get(CLUSTER);
      expect([stale.status, stale.body]).toEqual([200, listing(OTHER, OWN)]);
      expect(stale.headers['x-endpoint-list-age']).toMatch(/^\d+$/);

      await gateway.listen('127.0.0.1', port);
      await terminal.until(/the list of coordinators is confirmed again/);
      const live = await supertest(url).get(CLUSTER);
      expect([live.status, live.body]).toEqual([200, listing(OTHER, OWN)]);
      expect(live.headers).not.toHaveProperty('x-endpoint-list-age');
    });
  });

  it('exits with 1 and one line when no agency answers', async () => {
    const agency = `http://127.0.0.1:${String(await freePort())}`;
    const terminal = new FakeTerminal();
    expect(await runServer(await coordinator(agency), terminal)).toBe(1);
    expect(terminal.complaints).toEqual([expect.stringContaining(`${agency}: `)]);
    expect(terminal.complaints[0]).toContain('ECONNREFUSED');
    expect(terminal.lines).toEqual([]);
  });
});
