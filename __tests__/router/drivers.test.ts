import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import express, { type Request, type Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

/** Two Coordinators that list what `listed` holds, each with one more route for ordinary requests. */
class Cluster {
  readonly served: number[] = [0, 0];
  listed: string[] = [];
  private readonly servers: Server[] = [];

  async start(options: Partial<EndpointRouterOptions> = {}): Promise<this> {
    for (const index of [0, 1]) {
      const app = express();
      app.use(createEndpointRouter({ role: 'coordinator', endpoints: () => this.listed, ...options }));
      app.get('/_db/:database/_api/version', (_req: Request, res: Response) => {
        this.served[index] = (this.served[index] ?? 0) + 1;
        res.json({ server: 'arango', version: '3.11.0', license: 'community' });
      });
      this.servers.push(serve(app));
    }
    await Promise.all(this.servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    this.listed = this.endpoints;
    return this;
  }

  get endpoints(): string[] {
    return this.servers.map((server) => `tcp://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.servers.map(async (server) => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }),
    );
  }
}

const cluster = { current: new Cluster() };
afterEach(() => cluster.current.stop());

async function start(options?: Partial<EndpointRouterOptions>): Promise<Cluster> {
  cluster.current = await new Cluster().start(options);
  return cluster.current;
}

const asHttp = (endpoint: string): string => endpoint.replace('tcp:', 'http:');

describe.each([
  ['arangojs 10', Database as unknown as typeof Database8],
  ['arangojs 8', Database8],
])('%s', (_name, Driver) => {
  const open = (url: string, databaseName = '_system'): InstanceType<typeof Database8> =>
    new Driver({ url: asHttp(url), databaseName, loadBalancingStrategy: 'ROUND_ROBIN' });

  /** The hosts that a handle knows, without the slash that some versions write behind them. */
  const hosts = (db: InstanceType<typeof Database8>): string[] => {
    const { _connection: connection } = db as unknown as { _connection: { _hostUrls: string[] } };
    return connection._hostUrls.map((url) => url.replace(/\/$/, ''));
  };

  it('acquires the hosts, twice, and then sends requests to all of them without a failure', async () => {
    const { endpoints, served } = await start();
    const db = open(endpoints[0] ?? '');
    await db.acquireHostList();
    await db.acquireHostList();
    expect(hosts(db).sort()).toEqual(endpoints.map(asHttp).sort());
    for (let sent = 0; sent < 6; sent += 1) expect((await db.version()).version).toBe('3.11.0');
    expect(served.every((count) => count >= 2)).toBe(true);
    expect(served[0] ?? 0).toBe(6 - (served[1] ?? 0));
    db.close();
  });

  it('drops the hosts that have gone when it acquires the list anew', async () => {
    const { endpoints } = await start();
    const db = open(endpoints[0] ?? '');
    await db.acquireHostList(true);
    expect(hosts(db)).toHaveLength(2);
    cluster.current.listed = endpoints.slice(1);
    await db.acquireHostList(true);
    expect(hosts(db)).toEqual([asHttp(endpoints[1] ?? '')]);
    expect((await db.version()).version).toBe('3.11.0');
    db.close();
  });

  it('gets an ArangoError 403 / 1230 on a handle of another database', async () => {
    const { endpoints } = await start();
    const db = open(endpoints[0] ?? '', 'mydb');
    await expect(db.acquireHostList()).rejects.toMatchObject({
      name: 'ArangoError',
      code: 403,
      errorNum: 1230,
      message: expect.stringContaining('operation only allowed in system database') as string,
    });
    expect(hosts(db)).toHaveLength(1);
    db.close();
  });

  it("gets the list there with clusterDatabases: 'any'", async () => {
    const { endpoints } = await start({ clusterDatabases: 'any' });
    const db = open(endpoints[0] ?? '', 'mydb');
    await db.acquireHostList();
    expect(hosts(db)).toHaveLength(2);
    db.close();
  });

  it('gets an ArangoError 501 / 9 from a single server', async () => {
    const { endpoints } = await start({ role: 'single' });
    const db = open(endpoints[0] ?? '');
    await expect(db.acquireHostList()).rejects.toMatchObject({ name: 'ArangoError', code: 501, errorNum: 9 });
    db.close();
  });
});
