import { listingClient } from '../router/ask-listing.js';
import { ChaosMember } from './chaos-member.js';
import { ChaosWitness } from './chaos-witness.js';
import type { EtcdNode } from '../etcd/etcd.js';
import { startEtcd } from '../etcd/etcd.js';
import { builtPackage } from '../package/built-package.js';
import { seeded } from '../seeded.js';
import { startCoordinator } from '../process/server-process.js';
import { pause, until } from '../until.js';

const MEMBERS = 8;
const TTL_SECONDS = 6;
const GONE_MS = (2 * TTL_SECONDS + 5) * 1000;
const POLL_MS = 15;
/**
 * From the end of one fault of etcd to the next. Each change of etcd's leader renews all leases, those of the dead as well,
 * for their time and one more second (etcd 3.4): faults that follow sooner would keep the dead listed without an end.
 */
const QUIET_MS = TTL_SECONDS * 1000 + 4000;
/** No longer than a lease has left at any time: a frozen etcd 3.4 may end leases of the living when it goes on. */
const MAX_NODE_FAULT_MS = 3000;

export interface ChaosReport {
  /** How often each fault was made. */
  readonly faults: Readonly<Record<string, number>>;
  readonly counts: Readonly<ChaosWitness['counts']>;
  readonly longestDeadMs: number;
  /** How often a member has found itself unlisted. */
  readonly lost: number;
  readonly violations: readonly string[];
}

/**
 * A cluster of three etcd nodes, eight members and one coordinator that is asked all the time, while nodes and members are
 * killed, stopped and frozen at random; in the end, the list has to be right.
 */
export async function chaos(seconds: number, seed: number): Promise<ChaosReport> {
  const { folder } = await builtPackage();
  const etcd = await startEtcd({ size: 3 });
  const members: ChaosMember[] = [];
  const faults: Record<string, number> = {};
  const witness = new ChaosWitness(GONE_MS);
  // Two sequences, so that how long one kind of fault takes does not change the other.
  const [dice, nodeDice] = [seeded(seed), seeded(seed + 1)];
  const host = await startCoordinator(etcd.urls);
  const client = listingClient(host.endpoint);
  const end = performance.now() + seconds * 1000;
  const isOver = (): boolean => !isAsking || performance.now() > end;
  const disturbing: Promise<void>[] = [];
  let isAsking = true;
  let names = 0;

  const count = (name: string): void => {
    faults[name] = (faults[name] ?? 0) + 1;
  };
  const join = (endpoint = `tcp://10.0.0.1:${String((names += 1))}`): void => {
    members.push(new ChaosMember(folder, endpoint, TTL_SECONDS, etcd.urls));
  };
  const living = (): ChaosMember[] => members.filter(({ standing }) => standing.fate === 'alive');

  async function askAllTheTime(): Promise<void> {
    while (isAsking) {
      await witness.look(client.ask, members);
      await pause(POLL_MS);
    }
  }

  async function disturbMembers(): Promise<void> {
    const freezing: Promise<void>[] = [];
    while (!isOver()) {
      await pause(dice.between(1000, 3000));
      const [what, ms, back] = [dice.next(), dice.between(500, 9000), dice.next()];
      const member = dice.pick(living());
      if (member === undefined) continue;
      if (what < 0.3) {
        count('member frozen');
        freezing.push(member.freeze(ms).catch((error: unknown) => void witness.violations.push(String(error))));
        continue;
      }
      const signal = what < 0.7 ? 'SIGKILL' : 'SIGTERM';
      count(`member ${signal}`);
      await member.kill(signal);
      // Some come back at once, under the same name; others take their place.
      join(back < 0.4 ? member.endpoint : undefined);
    }
    await Promise.all(freezing);
  }

  async function disturbNodes(): Promise<void> {
    while (!isOver()) {
      const [what, ms] = [nodeDice.next(), nodeDice.between(300, MAX_NODE_FAULT_MS)];
      const nodes = [...etcd.nodes].sort(() => nodeDice.next() - 0.5);
      await (what < 0.4 ? freezeNodes(nodes.slice(0, 1), ms) : killNodes(nodes.slice(0, what < 0.8 ? 1 : 2), what, ms));
      await etcd.healthy();
      await pause(QUIET_MS);
    }
  }

  async function freezeNodes(nodes: readonly EtcdNode[], ms: number): Promise<void> {
    count('etcd node frozen');
    for (const node of nodes) node.freeze();
    await pause(ms);
    for (const node of nodes) node.thaw();
  }

  async function killNodes(nodes: readonly EtcdNode[], what: number, ms: number): Promise<void> {
    const signal = what < 0.6 ? 'SIGTERM' : 'SIGKILL';
    count(`${String(nodes.length)} etcd node ${signal}`);
    await Promise.all(nodes.map((node) => node.stop(signal)));
    await pause(ms);
    await Promise.all(nodes.map((node) => node.spawn()));
  }

  async function isRight(): Promise<boolean> {
    const { endpoints, age } = await client.ask();
    const expected = [host.endpoint, ...living().map(({ endpoint }) => endpoint)].sort();
    return age === undefined && JSON.stringify(endpoints) === JSON.stringify(expected);
  }

  try {
    for (let index = 0; index < MEMBERS; index += 1) join();
    await until('all members have registered', () => living().length === MEMBERS, 60_000);
    const asking = askAllTheTime();
    disturbing.push(disturbMembers(), disturbNodes());
    await Promise.race([asking, Promise.all(disturbing)]);
    await until('the last newcomers have registered', () => living().length === MEMBERS, 60_000);
    await until('the list is right in the end', isRight, GONE_MS);
    isAsking = false;
    await asking;
    const crashed = members.filter((member) => member.crashed).map(({ endpoint }) => `${endpoint} has crashed`);
    return {
      faults,
      counts: witness.counts,
      longestDeadMs: Math.round(witness.longestDead),
      lost: members.reduce((sum, { lost }) => sum + lost, 0),
      violations: [...new Set([...witness.violations, ...crashed])],
    };
  } finally {
    isAsking = false;
    // Else they would start again what is ended here.
    await Promise.allSettled(disturbing);
    client.close();
    await Promise.all(members.map((member) => member.end()));
    await host.kill();
    await etcd.close();
  }
}
