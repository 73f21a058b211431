import express from 'express';
import type { EndpointDirectory } from '../../lib/dns-srv/index.js';
import { createHealthDirectory, type HealthDirectoryOptions } from '../../lib/health/index.js';
import { createEndpointRouter, translateEndpoints, type EndpointProvider } from '../../lib/index.js';
import type { TestCluster } from '../../lib/testing/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { createSrvDirectory } from '../../lib/dns-srv/index.js';
import { startDnsServer } from '../support/dns/dns-server.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { listed } from '../support/gateway/gateways.js';
import { healthDirectories } from '../support/health/health-directories.js';
import { clusters } from '../support/testing/cluster.js';
import { until } from '../support/until.js';

const { check, closing } = healthDirectories();
const start = clusters();
const etcd = etcdScenario();

/** What a router in front of a provider lists. */
const listedBy = (endpoints: EndpointProvider): Promise<unknown> =>
  listed(
    express()
      .set('env', 'test')
      .use(createEndpointRouter({ role: 'coordinator', endpoints })),
  );

/** Two Coordinators that live and one that is dead. */
async function startCluster(): Promise<TestCluster> {
  const cluster = await start();
  await cluster.coordinators[2]?.stop();
  return cluster;
}

const outside = (index: number): string => `ssl://db${String(index)}.example:443`;
const rulesFor = (endpoints: readonly string[]): Record<string, string> =>
  Object.fromEntries(endpoints.map((endpoint, index) => [endpoint, outside(index)]));

type Source = readonly string[] | EndpointDirectory;
const SOURCES: [string, (cluster: TestCluster) => Promise<Source>][] = [
  ['a fixed list', ({ endpoints }) => Promise.resolve(endpoints)],
  [
    'etcd',
    async ({ endpoints }) => {
      const gateway = await etcd.gateway();
      for (const endpoint of endpoints) gateway.put(endpoint);
      return etcd.open([gateway.url]);
    },
  ],
  [
    'DNS SRV',
    async ({ endpoints }) => {
      const records = endpoints.map((endpoint) => ({ target: '127.0.0.1', port: Number(endpoint.split(':')[2]) }));
      const dns = closing(await startDnsServer({ records }));
      return closing(await createSrvDirectory({ name: '_arangodb._tcp.example.org', servers: [dns.address] }));
    },
  ],
  ['an upstream', async ({ urls: servers }) => closing(await createUpstreamDirectory({ servers, pollIntervalMs: 10 }))],
];

describe.each(SOURCES)('%s', (_name, open) =>
  it('through health and translation into the router lists the living at addresses that clients reach', async () => {
    const cluster = await startCluster();
    const source = await open(cluster);
    const health = await check(source);
    const provider = translateEndpoints(health.provider, rulesFor(cluster.endpoints));
    expect(new Set((await listedBy(provider)) as string[])).toEqual(new Set([outside(0), outside(1)]));

    const trouble = cluster.trouble({ kind: 'status', status: 503, coordinator: 0, routes: 'all' });
    await until('the other one is off', async () => String(await listedBy(provider)) === outside(1));
    trouble.end();
    await until('it is back', async () => ((await listedBy(provider)) as string[]).length === 2);

    await health.close();
    // Closing one closes what it made and nothing else.
    if ('provider' in source) {
      expect(source.status().state).toBe('live');
      expect(source.provider()).toHaveLength(3);
      await source.close();
    }
  }),
);

describe('the other order', () => {
  it('is refused by the types, and when it is tried', async () => {
    const { endpoints } = await startCluster();
    const translated = translateEndpoints(() => endpoints, rulesFor(endpoints));
    // @ts-expect-error A provider has no changes and no states to follow.
    const options: HealthDirectoryOptions = { endpoints: translated };
    await expect(createHealthDirectory(options)).rejects.toThrow(TypeError);
    const health = await check(endpoints);
    // @ts-expect-error A directory is no provider.
    expect(() => translateEndpoints(health, rulesFor(endpoints))).toThrow(TypeError);
    // @ts-expect-error A directory is no provider.
    expect(() => createEndpointRouter({ endpoints: health })).toThrow(TypeError);
  });

  it('of two directories is right: a directory with health checks is a directory', async () => {
    const { endpoints } = await startCluster();
    const inner = await check(endpoints);
    const outer = await check(inner, { check: 'tcp' });
    expect(outer.provider()).toEqual(inner.provider());
    await outer.close();
    expect(inner.status().state).toBe('live');
  });
});
