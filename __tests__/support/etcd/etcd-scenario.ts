import type { ServerOptions } from 'node:https';
import {
  createEtcdDirectory,
  type EtcdDirectoryOptions,
  type LeasedDirectory,
  type Registration,
} from '../../../lib/etcd/index.js';
import { CuttingProxy } from './cutting-proxy.js';
import { FakeEtcdGateway, type GatewayShape } from './fake-etcd-gateway.js';
import { until } from '../until.js';

/** Waits that are short, and limits that no busy machine needs. */
const QUICK = { connectTimeoutMs: 60_000, requestTimeoutMs: 20_000, retry: { minMs: 1, maxMs: 5 } };

/** Gateways and directories of one test file: closed after each test, which fails when they leave something open. */
export function etcdScenario() {
  const cleanups: (() => Promise<void>)[] = [];
  let before: string[];

  beforeEach(() => {
    before = openResources();
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    await until(`nothing open but ${before.join(', ')}`, () => openResources().length <= before.length);
  });

  const scenario = {
    async gateway(shape: GatewayShape = 'v1', tls?: ServerOptions, host?: string): Promise<FakeEtcdGateway> {
      const gateway = new FakeEtcdGateway(shape, tls);
      await gateway.listen(host);
      cleanups.push(() => gateway.kill());
      return gateway;
    },

    async open(hosts: readonly string[], options: Partial<EtcdDirectoryOptions> = {}): Promise<LeasedDirectory> {
      const directory = await createEtcdDirectory({ hosts, ...QUICK, ...options });
      cleanups.push(() => directory.close());
      return directory;
    },

    /** A directory that follows a gateway with these endpoints, and the names of its events. */
    async follow(
      endpoints: readonly string[] = [],
      options: Partial<EtcdDirectoryOptions> = {},
      shape?: GatewayShape,
    ): Promise<{ gateway: FakeEtcdGateway; directory: LeasedDirectory; events: string[] }> {
      const gateway = await scenario.gateway(shape);
      gateway.put(...endpoints);
      const directory = await scenario.open([gateway.url], options);
      return { gateway, directory, events: eventsOf(directory) };
    },

    /** A proxy before a gateway. */
    async proxy(gateway: FakeEtcdGateway): Promise<CuttingProxy & { url: string }> {
      const proxy = new CuttingProxy(gateway.port);
      cleanups.push(() => proxy.close());
      return Object.assign(proxy, { url: await proxy.listen() });
    },
  };
  return scenario;
}

/** The names of all events of a directory, in order. */
export function eventsOf(directory: LeasedDirectory): string[] {
  const events: string[] = [];
  for (const name of ['live', 'stale', 'expired', 'skipped', 'change'] as const) {
    directory.on(name, () => events.push(name));
  }
  return events;
}

/** What happens to a registration, in order. */
export function happeningsOf(registration: Registration): string[] {
  const happenings: string[] = [];
  registration.on('lost', ({ message }) => happenings.push(`lost: ${message}`));
  registration.on('restored', () => happenings.push('restored'));
  registration.on('retry', ({ message }) => happenings.push(`retry: ${message}`));
  return happenings;
}

/** The bodies of the requests for a path, in order. */
export function bodies(gateway: FakeEtcdGateway, path: string): unknown[] {
  return gateway.asked.filter((request) => request.path === path).map(({ body }) => body);
}

function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap' && name !== 'FSReqPromise');
}
