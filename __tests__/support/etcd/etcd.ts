import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, hasEnded, start, type Started } from '../process/child.js';
import { freePort } from '../process/free-port.js';
import { until } from '../until.js';
import { engineFile } from './engines.js';
import { askEtcd } from './etcd-ask.js';

/**
 * How much later than promised something may be seen where other work takes the processor, in ms. On a quiet machine the
 * tests hold without: `BUSY_MACHINE_MS=0`.
 */
export const BUSY_MACHINE_MS = Number(process.env['BUSY_MACHINE_MS'] ?? 5000);

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
      url: `${origin}:${String(await freePort())}`,
      peerUrl: `http://127.0.0.1:${String(await freePort())}`,
      metricsUrl: `http://127.0.0.1:${String(await freePort())}`,
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

/** How a member of an etcd cluster is started. */
interface EtcdNodeSettings {
  readonly name: string;
  /** The folder of its data, which it makes. */
  readonly folder: string;
  /** Where clients ask, in a form for `hosts`. */
  readonly url: string;
  readonly peerUrl: string;
  /** Plain HTTP on 127.0.0.1: answers `/health` and `/metrics`, whatever `url` needs. */
  readonly metricsUrl: string;
  readonly flags: readonly string[];
  /** The user to run as; default: the one who runs the tests. */
  readonly uid: number | undefined;
}

/** One etcd process, on the same ports and data each time that it is started. */
export class EtcdNode {
  readonly #settings: EtcdNodeSettings;
  #process: Started | undefined;

  constructor(settings: EtcdNodeSettings) {
    this.#settings = settings;
  }

  get url(): string {
    return this.#settings.url;
  }

  get peerPort(): string {
    return new URL(this.#settings.peerUrl).port;
  }

  get uid(): number | undefined {
    return this.#settings.uid;
  }

  /** Starts it, and waits until it takes part in a majority. */
  async start(): Promise<void> {
    await this.spawn();
    await this.healthy();
  }

  async spawn(): Promise<void> {
    const { name, folder, url, peerUrl, metricsUrl, flags, uid } = this.#settings;
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
    if (uid !== undefined) await chown(folder, uid, uid);
    const clients = ['--listen-client-urls', url, '--advertise-client-urls', url, '--listen-metrics-urls', metricsUrl];
    const peers = ['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl];
    const args = ['--name', name, '--data-dir', folder, ...clients, ...peers, ...flags];
    this.#process = start(engineFile('etcd'), args, uid === undefined ? {} : { uid, gid: uid });
    await once(this.#process.child, 'spawn');
  }

  async healthy(): Promise<void> {
    await until(
      `etcd ${this.url} is healthy`,
      async () => {
        if (!this.#process || hasEnded(this.#process.child))
          throw new Error(`etcd has ended:\n${String(this.#process?.stderr())}`);
        return (await this.metrics('/health').catch(() => '')).includes('"health":"true"');
      },
      30_000,
    );
  }

  /** What it says of itself. */
  async metrics(path: '/health' | '/metrics'): Promise<string> {
    const request = get(this.#settings.metricsUrl + path, { agent: false, timeout: 2000 });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const bytes of response) text += bytes.toString();
    return text;
  }

  /** Ends it by SIGTERM or SIGKILL; a frozen one as well. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#process) await end(this.#process.child, signal);
  }

  /** SIGSTOP: the sockets stay, nobody answers. */
  freeze(): void {
    this.#process?.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.child.kill('SIGCONT');
  }

  /** Removes its data; only while it is stopped. */
  async wipe(): Promise<void> {
    await rm(this.#settings.folder, { recursive: true, force: true });
  }
}
