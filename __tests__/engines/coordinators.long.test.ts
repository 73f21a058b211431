import { Database } from 'arangojs';
import { listingClient, type ListingAnswer } from '../support/router/ask-listing.js';
import { describeWithEngines } from '../support/etcd/engines.js';
import { startEtcd, type Etcd } from '../support/etcd/etcd.js';
import { startCoordinator, type ServerProcess } from '../support/process/server-process.js';
import { pause, until } from '../support/until.js';

/** What the runnable server asks for. */
const TTL_MS = 15_000;
/** How much later than it would on a quiet machine a process may come to its turn; also how much earlier it was renewed. */
const SLACK_MS = 4000;

describeWithEngines('three coordinators that are registered in etcd', ['etcd'], () => {
  let etcd: Etcd;
  let servers: ServerProcess[] = [];
  let clients: ReturnType<typeof listingClient>[] = [];

  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.close());

  beforeEach(async () => {
    servers = await Promise.all(['first', 'second', 'third'].map(() => startCoordinator(etcd.urls)));
    clients = servers.map(({ endpoint }) => listingClient(endpoint));
    await allList(0, 1, 2);
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  });

  const endpointsOf = (...indices: number[]): string[] =>
    servers
      .filter((_server, index) => indices.includes(index))
      .map(({ endpoint }) => endpoint)
      .sort();
  const askAll = (...indices: number[]): Promise<ListingAnswer[]> =>
    Promise.all(clients.filter((_client, index) => indices.includes(index)).map(({ ask }) => ask()));

  /** Waits until each of these lists exactly these. */
  async function allList(...indices: number[]): Promise<void> {
    const expected = JSON.stringify(endpointsOf(...indices));
    await until(
      `all list ${expected}`,
      async () => (await askAll(...indices)).every(({ endpoints }) => JSON.stringify(endpoints) === expected),
      60_000,
    );
  }

  it('take a killed one off their lists between two thirds of its TTL and the TTL and a second', async () => {
    const killedAt = performance.now();
    await servers[2]?.kill('SIGKILL');
    await Promise.all(
      [0, 1].map(async (index) => {
        const living = JSON.stringify(endpointsOf(0, 1));
        await until('it is off the list', async () => JSON.stringify((await askAll(index))[0]?.endpoints) === living);
        expect(performance.now() - killedAt).toBeGreaterThan((TTL_MS * 2) / 3 - SLACK_MS);
        expect(performance.now() - killedAt).toBeLessThan(TTL_MS + 1000 + SLACK_MS);
      }),
    );
  });

  it('leave arangojs only living hosts after a kill: 200 requests in turn all succeed', async () => {
    const http = (endpoint = ''): string => endpoint.replace('tcp:', 'http:');
    const [all, [asked = '']] = [endpointsOf(0, 1, 2), endpointsOf(0)];
    // Not the one whose turn is next: when that one leaves the list, arangojs 10 throws a TypeError once, before it sends.
    const killed = servers.findIndex(({ endpoint }) => endpoint === all[(all.indexOf(asked) + 2) % 3]);
    const living = [0, 1, 2].filter((index) => index !== killed);
    const db = new Database({ url: http(asked), databaseName: '_system', loadBalancingStrategy: 'ROUND_ROBIN' });
    try {
      await db.acquireHostList(true);
      await servers[killed]?.kill('SIGKILL');
      await allList(...living);
      await db.acquireHostList(true);
      const answered = new Map<string, number>();
      for (let count = 0; count < 200; count += 1) {
        const { status, arangojsHostUrl: host = '' } = await db.request(
          { pathname: '/_api/cluster/endpoints' },
          (response) => response,
        );
        expect(status).toBe(200);
        answered.set(host, (answered.get(host) ?? 0) + 1);
      }
      expect([...answered].sort()).toEqual(endpointsOf(...living).map((endpoint) => [`${http(endpoint)}/`, 100]));
    } finally {
      db.close();
    }
  });

  it.each([
    ['killed', () => etcd.nodes[0]?.stop('SIGKILL'), () => etcd.nodes[0]?.start()],
    ['frozen', () => etcd.nodes[0]?.freeze(), () => etcd.nodes[0]?.thaw()],
  ])(
    'go on with their last list, and mark it, while etcd is %s; then confirm it, and nobody was lost',
    async (_name, stop, go) => {
      const everyone = endpointsOf(0, 1, 2);
      const answers: ListingAnswer[] = [];
      const collect = async (): Promise<ListingAnswer[]> => {
        const now = await askAll(0, 1, 2);
        answers.push(...now);
        return now;
      };
      const stopped = performance.now();
      await stop();
      await until('all are marked', async () => (await collect()).every(({ age }) => age !== undefined));
      expect(performance.now() - stopped).toBeLessThan(4000 + SLACK_MS);

      await go();
      await etcd.healthy();
      const healthy = performance.now();
      await until('none is marked', async () => (await collect()).every(({ age }) => age === undefined));
      expect(performance.now() - healthy).toBeLessThan(2000 + SLACK_MS);

      // As long as it takes until a lease that was lost would be missed.
      const end = performance.now() + TTL_MS + 1000;
      while (performance.now() < end) {
        await collect();
        await pause(50);
      }
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answers.filter(({ endpoints }) => JSON.stringify(endpoints) !== JSON.stringify(everyone))).toEqual([]);
      expect(answers.length).toBeGreaterThan(100);
    },
  );
});
