import dns from 'node:dns';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import express from 'express';
import { createHealthDirectory } from '../../lib/health/index.js';
import { createEndpointRouter, translateEndpoints } from '../../lib/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { listenOn } from '../../lib/listen/index.js';
import { end } from '../support/process/child.js';
import { RunningTime } from '../support/gateway/running-time.js';
import { freePort } from '../support/process/free-port.js';
import { seeded } from '../support/seeded.js';
import { pause } from '../support/until.js';

/** 60 s, or as many as CHAOS_SECONDS says; CHAOS_SEED repeats a run. */
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 60);
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const TIMES = { intervalMs: 200, timeoutMs: 600, fall: 3, rise: 2 };
/** How long an endpoint that is dead may stay listed, and one that is well again may need to be listed. */
const OFF_MS = TIMES.fall * (TIMES.intervalMs + TIMES.timeoutMs) + 1000;
const ON_MS = TIMES.rise * (TIMES.intervalMs + TIMES.timeoutMs) + 1000;

jest.setTimeout((SECONDS + 300) * 1000);

const FAULTS = [
  'kill',
  'freeze',
  'slow',
  'hang',
  '503',
  'wrong address',
  'another order',
  'listed by itself alone',
  'dns',
] as const;
type Fault = (typeof FAULTS)[number];
/** Faults with which a member is there for its clients, and must be listed. */
const IS_WELL_WITH: ReadonlySet<Fault> = new Set(['slow', 'wrong address', 'another order']);
/** Which list the gateway follows decides whether it is in an answer. */
const IS_UNDECIDED_WITH: ReadonlySet<Fault> = new Set(['listed by itself alone']);

/** One Coordinator, which of its faults it has, and since when it is well or not. */
class Member {
  fault: Fault | undefined;
  /** By the running time; the times between, while it changes, count for neither. */
  wellSince: number | undefined;
  deadSince: number | undefined;
  #child: ChildProcess | undefined;

  constructor(
    readonly host: string,
    readonly port: number,
    readonly outside: string,
    private readonly time: RunningTime,
    private readonly listing: (asked: Member) => string[],
  ) {}

  get endpoint(): string {
    return `tcp://${this.host}:${String(this.port)}`;
  }

  async start(): Promise<void> {
    const child = fork(join(__dirname, '../support/gateway/coordinator-process.mjs'), [String(this.port)]);
    this.#child = child;
    await once(child, 'message');
    this.behave();
    await pause(20);
    this.wellSince = this.time.now();
  }

  async begin(fault: Fault): Promise<void> {
    this.fault = fault;
    if (!IS_WELL_WITH.has(fault)) this.wellSince = undefined;
    if (fault === 'kill' && this.#child !== undefined) await end(this.#child);
    if (fault === 'freeze') this.#child?.kill('SIGSTOP');
    if (fault !== 'kill' && fault !== 'freeze') this.behave();
    if (!IS_WELL_WITH.has(fault) && !IS_UNDECIDED_WITH.has(fault)) this.deadSince = this.time.now();
  }

  async mend(): Promise<void> {
    const { fault } = this;
    this.deadSince = undefined;
    this.fault = undefined;
    if (fault === 'kill') await this.start();
    if (fault === 'freeze') this.#child?.kill('SIGCONT');
    this.behave();
    await pause(20);
    this.wellSince ??= this.time.now();
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGCONT');
    if (this.#child !== undefined) await end(this.#child);
  }

  /** Tells its process how to answer. */
  behave(): void {
    const { fault } = this;
    if (this.#child?.connected === true)
      this.#child.send({
        delayMs: fault === 'slow' ? 100 : fault === 'hang' ? 5000 : 0,
        status: fault === '503' ? 503 : 200,
        listing: this.listing(this),
      });
  }
}

type Lookup = (host: string, options: object, callback: (error: Error) => void) => void;

describe('A gateway in front of three Coordinators that are killed, frozen, slow, sick and wrong', () => {
  const members: Member[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let isNameServiceDown = false;

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it(`keeps its promises for ${String(SECONDS)} s`, async () => {
    console.log(`seed: ${String(SEED)}`);
    const random = seeded(SEED);
    const endpoints = (): string[] => members.map(({ endpoint }) => endpoint);
    // What one of them lists wrongly, the others list too: a poll stays with the server that answered last.
    const listing = (asked: Member): string[] => {
      const known = members
        .filter((member) => member === asked || member.fault !== 'listed by itself alone')
        .map(({ endpoint }) => endpoint);
      const faults = new Set(members.map(({ fault }) => fault));
      const list = faults.has('wrong address') ? [...known, 'tcp://10.99.0.1:8529', 'unix:///run/db.sock', ''] : known;
      return faults.has('another order') ? list.map((endpoint) => endpoint.replace('tcp:', 'HTTP:')).reverse() : list;
    };
    const time = new RunningTime();
    closers.push(() => {
      time.stop();
      return Promise.resolve();
    });
    for (const host of ['127.0.0.1', '127.0.0.1', 'localhost']) {
      const outside = `ssl://db${String(members.length + 1)}.example:443`;
      members.push(new Member(host, await freePort(), outside, time, listing));
    }
    for (const member of members) {
      await member.start();
      closers.push(() => member.close());
    }
    // Sockets look the function up for each connection, so that this one breaks the name service of this process alone.
    const original = dns.lookup as unknown as Lookup;
    const failing: Lookup = (host, options, callback) => {
      if (isNameServiceDown) process.nextTick(callback, new Error(`getaddrinfo EAI_AGAIN ${host}`));
      else original(host, options, callback);
    };
    const replaced = jest.spyOn(dns, 'lookup').mockImplementation(failing as unknown as never);
    closers.push(() => {
      replaced.mockRestore();
      return Promise.resolve();
    });

    const upstream = await createUpstreamDirectory({
      servers: endpoints(),
      pollIntervalMs: 100,
      timeoutMs: 600,
      maxStaleMs: Infinity,
    });
    closers.push(() => upstream.close());
    const health = await createHealthDirectory({ endpoints: upstream, ...TIMES });
    closers.push(() => health.close());
    const counts = {
      requests: 0,
      faults: 0,
      up: 0,
      down: 0,
      stale: 0,
      skipped: 0,
      'checked to be listed': 0,
      'checked to be off': 0,
      'lists without one that is up': 0,
    };
    const faultCounts: Partial<Record<Fault, number>> = {};
    health.on('up', () => (counts.up += 1)).on('down', () => (counts.down += 1));
    health.on('stale', () => (counts.stale += 1)).on('skipped', () => (counts.skipped += 1));

    const rules = Object.fromEntries(members.map(({ endpoint, outside }) => [endpoint, outside]));
    const router = createEndpointRouter({
      role: 'coordinator',
      endpoints: translateEndpoints(health.provider, rules),
      onError: () => undefined,
    });
    const { endpoints: origins, close } = await listenOn(express().use(router), ['tcp://127.0.0.1:0']);
    closers.push(close);

    const broken: string[] = [];
    let [slowest, slowestByTheClock] = [0, 0];
    let isOver = false;
    const allowed = new Set(members.map(({ outside }) => outside));

    const watch = async (): Promise<void> => {
      while (!isOver) {
        const startedAt = time.now();
        const startedByTheClock = performance.now();
        const answer = await fetch(`${String(origins()[0]).replace('tcp:', 'http:')}/_api/cluster/endpoints`);
        const text = await answer.text();
        const ms = time.now() - startedAt;
        counts.requests += 1;
        slowest = Math.max(slowest, ms);
        slowestByTheClock = Math.max(slowestByTheClock, performance.now() - startedByTheClock);
        if (ms > 100) broken.push(`an answer took ${ms.toFixed(0)} ms`);
        const body = JSON.parse(text) as { endpoints?: { endpoint: string }[] };
        const list = new Set(body.endpoints?.map(({ endpoint }) => endpoint));
        for (const endpoint of list) if (!allowed.has(endpoint)) broken.push(`the private ${endpoint} is listed`);
        if (answer.status !== 200 || list.size === 0) broken.push(`${String(answer.status)}: ${text}`);
        for (const { outside, wellSince, deadSince, fault } of members) {
          if (wellSince !== undefined && startedAt - wellSince > ON_MS) {
            counts['checked to be listed'] += 1;
            if (!list.has(outside)) broken.push(`${outside} is well (${String(fault)}) and not listed: ${text}`);
          }
          if (deadSince !== undefined && startedAt - deadSince > OFF_MS) {
            counts['checked to be off'] += 1;
            if (list.has(outside)) broken.push(`${outside} is dead (${String(fault)}) and listed`);
          }
          if (fault === 'listed by itself alone' && !list.has(outside)) counts['lists without one that is up'] += 1;
        }
        await pause(5);
      }
    };

    const watching = watch();
    // Each kind once, in any order, and again from the beginning.
    let toCome: readonly Fault[] = FAULTS;
    const endAt = performance.now() + SECONDS * 1000;
    // A machine that holds this process up most of the time leaves little to check.
    const isEnough = (): boolean => counts['checked to be listed'] > 0 && counts['checked to be off'] > 0;
    while (performance.now() < endAt || !isEnough()) {
      // One of them is always well, so that the list is never that of whenNoneHealthy.
      const faulty = members.filter(({ fault }) => fault !== undefined);
      const victim = random.pick(members.filter(({ fault }) => fault === undefined));
      // Who is on no list is off at once, when a third may not be on again.
      const isSurelyWell = (member: Member): boolean =>
        member !== victim && member.fault === undefined && time.now() - (member.wellSince ?? Infinity) > ON_MS;
      const fault = random.pick(
        toCome.filter(
          (each) =>
            (each !== 'dns' || victim?.host === 'localhost') &&
            (each !== 'listed by itself alone' || members.some(isSurelyWell)),
        ),
      );
      if (victim !== undefined && fault !== undefined && faulty.length < 2) {
        toCome = toCome.filter((each) => each !== fault);
        if (toCome.length === 0) toCome = FAULTS;
        if (fault === 'dns') isNameServiceDown = true;
        counts.faults += 1;
        faultCounts[fault] = (faultCounts[fault] ?? 0) + 1;
        await victim.begin(fault);
        for (const member of members) member.behave();
      } else {
        const mended = random.pick(faulty);
        if (mended?.fault === 'dns') isNameServiceDown = false;
        await mended?.mend();
        for (const member of members) member.behave();
      }
      await pause(random.between(200, 3500));
    }
    isOver = true;
    await watching;
    console.log(
      `${JSON.stringify(counts)}, faults ${JSON.stringify(faultCounts)}, slowest answer ${slowest.toFixed(1)} ms ` +
        `(${slowestByTheClock.toFixed(1)} ms by the clock), held up for ${time.lost().toFixed(0)} ms, seed ${String(SEED)}`,
    );
    expect(broken.slice(0, 5)).toEqual([]);
    expect(isEnough()).toBe(true);
  });
});
