import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, hasEnded } from './child.js';
import { engineFile } from './engines.js';
import { freePort } from './free-port.js';
import { pause, until } from './until.js';

const START_LIMIT_MS = 60_000;
const MAX_STARTS = 5;

/** One member of an etcd cluster on loopback: a process that a test may kill, freeze and start again, with its data. */
export interface EtcdNode {
  readonly url: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** SIGSTOP: the sockets stay, nobody answers. */
  freeze(): void;
  thaw(): void;
  /** After {@link kill}. */
  restart(): Promise<void>;
  /** It answers, and has a leader. */
  isHealthy(): Promise<boolean>;
}

export interface EtcdCluster {
  readonly nodes: readonly EtcdNode[];
  readonly urls: readonly string[];
  /** Waits until every node has a leader. */
  healthy(): Promise<void>;
  /** Kills all nodes and removes their data. */
  close(): Promise<void>;
}

/** Starts etcd on ports that are free now; another may take one meanwhile: then on others. */
export async function startEtcdCluster(size: 1 | 3): Promise<EtcdCluster> {
  for (let attempt = 1; ; attempt += 1) {
    const cluster = await spawnCluster(size);
    try {
      await cluster.healthy();
      return cluster;
    } catch (error) {
      await cluster.close();
      if (attempt === MAX_STARTS) throw error;
    }
  }
}

async function spawnCluster(size: number): Promise<EtcdCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-'));
  const url = async (): Promise<string> => `http://127.0.0.1:${String(await freePort())}`;
  const members: { name: string; client: string; peer: string }[] = [];
  for (let index = 0; index < size; index += 1) {
    members.push({ name: `node${String(index)}`, client: await url(), peer: await url() });
  }
  const everyone = members.map(({ name, peer }) => `${name}=${peer}`).join(',');
  const nodes = members.map(({ name, client, peer }) =>
    createNode(client, [
      ...['--name', name, '--data-dir', join(folder, name), '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', everyone],
    ]),
  );
  return {
    nodes,
    urls: nodes.map((node) => node.url),
    healthy: async () => {
      for (const node of nodes) await until(`${node.url} has a leader`, () => node.isHealthy(), START_LIMIT_MS);
    },
    close: async () => {
      for (const node of nodes) await node.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createNode(url: string, args: readonly string[]): EtcdNode {
  const start = (): ChildProcess => spawn(engineFile('etcd'), args, { stdio: 'ignore' });
  let child = start();
  return {
    url,
    kill: (signal = 'SIGKILL') => end(child, signal),
    freeze: () => {
      child.kill('SIGSTOP');
    },
    thaw: () => {
      child.kill('SIGCONT');
    },
    restart: async () => {
      // Its port may be another's for a moment: an outgoing connection gets any port that is free.
      for (let attempt = 0; attempt < MAX_STARTS; attempt += 1) {
        child = start();
        await pause(200);
        if (!hasEnded(child)) return;
      }
      throw new Error(`etcd at ${url} does not start again`);
    },
    isHealthy: async () => {
      if (hasEnded(child)) throw new Error(`etcd at ${url} has ended`);
      try {
        const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) });
        return answer.ok && (await answer.text()).includes('true');
      } catch {
        return false;
      }
    },
  };
}
