import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askEtcd } from './etcd-ask.js';
import { EtcdNode } from './etcd-node.js';

/**
 * How much later than promised something may be seen where other work takes the processor, in ms. On a quiet machine the
 * tests hold without: `BUSY_MACHINE_MS=0`.
 */
export const BUSY_MACHINE_MS = Number(process.env['BUSY_MACHINE_MS'] ?? 3000);

export interface EtcdOptions {
  /** Members of the cluster; default 1. */
  readonly size?: 1 | 3;
  readonly flags?: readonly string[];
  /** Where clients ask; default `http://127.0.0.1`. */
  readonly origin?: string;
  /** The user of each member; default: the one who runs the tests. */
  readonly uids?: readonly number[];
}

/** A cluster of etcd on loopback, with its data in a folder of its own. */
export interface Etcd {
  readonly nodes: readonly EtcdNode[];
  /** For `hosts`. */
  readonly urls: readonly string[];
  /** Resolves when every member takes part in a majority. */
  healthy(): Promise<void>;
  /** The leader first, then its followers. */
  byRole(): Promise<[EtcdNode, ...EtcdNode[]]>;
  close(): Promise<void>;
}

const MAX_TRIES = 5;

/** Starts a cluster; resolves when every member is healthy. */
export async function startEtcd(options: EtcdOptions = {}): Promise<Etcd> {
  let failure: unknown;
  // Somebody else may have taken a port in between.
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const etcd = await makeEtcd(options);
    try {
      await Promise.all(etcd.nodes.map((node) => node.start()));
      return etcd;
    } catch (error) {
      failure = error;
      await etcd.close();
    }
  }
  throw failure;
}

async function makeEtcd({ size = 1, flags = [], origin = 'http://127.0.0.1', uids = [] }: EtcdOptions): Promise<Etcd> {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-'));
  await chmod(folder, 0o711);
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index) => ({
      name: `n${String(index)}`,
      folder: join(folder, String(index)),
      url: `${origin}:${await port()}`,
      peerUrl: `http://127.0.0.1:${await port()}`,
      metricsUrl: `http://127.0.0.1:${await port()}`,
      uid: uids[index],
    })),
  );
  const cluster = ['--initial-cluster', members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',')];
  const nodes = members.map((member) => new EtcdNode({ ...member, flags: [...cluster, ...flags] }));
  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    healthy: async () => {
      await Promise.all(nodes.map((node) => node.healthy()));
    },
    byRole: async () => {
      const roles = await Promise.all(nodes.map(async (node) => ({ node, leads: await isLeader(node.url) })));
      const leader = roles.find(({ leads }) => leads);
      if (!leader) throw new Error('no leader');
      return [leader.node, ...nodes.filter((node) => node !== leader.node)];
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await rm(folder, { recursive: true });
    },
  };
}

async function isLeader(url: string): Promise<boolean> {
  const { leader, header } = await askEtcd(url, '/v3/maintenance/status', {});
  return leader === (header as { member_id: string }).member_id;
}

/**
 * A port of loopback that is free now, and that the system gives to nobody who connects: a client of a stopped etcd could
 * otherwise be given that very port, and be connected with itself.
 */
async function port(): Promise<string> {
  for (;;) {
    const server = createServer();
    const wanted = 10_000 + Math.floor(Math.random() * 20_000);
    try {
      server.listen(wanted, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return String(wanted);
    } catch {
      server.close();
    }
  }
}
