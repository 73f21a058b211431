import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import express, { type Handler } from 'express';
import type * as Root from 'express-endpoint-listing';
import type * as Client from 'express-endpoint-listing/client';
import type * as Directory from 'express-endpoint-listing/directory';
import type * as Health from 'express-endpoint-listing/health';
import type * as Page from 'express-endpoint-listing/page';
import type * as Upstream from 'express-endpoint-listing/upstream';
import { clusterBody } from './lists.js';

/** As a file of the package would: the bench is a package of its own. */
const require = createRequire(new URL('../../package.json', import.meta.url));
const load = (subpath: string): unknown => require(`express-endpoint-listing${subpath}`);
const { createEndpointRouter } = load('') as typeof Root;
const { checkEndpoints } = load('/client') as typeof Client;
const { createTranslatedDirectory } = load('/directory') as typeof Directory;
const { createHealthDirectory } = load('/health') as typeof Health;
const { createListingPage } = load('/page') as typeof Page;
const { createUpstreamDirectory } = load('/upstream') as typeof Upstream;

const SIZES = [100, 1000, 10_000];
const names = (size: number, round: number): string[] =>
  Array.from({ length: size }, (_, index) => `tcp://coordinator-${String(index)}.r${String(round)}.example:8529`);

/** Processor time of this process, and the longest hold of its event loop, in ms. A hold is never longer than the processor worked, or the clock went. */
type Figures = readonly [cpu: number, hold: number];

async function measured(work: () => unknown): Promise<Figures> {
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let [cpu, clock, hold] = [used(), performance.now(), 0];
  const start = cpu;
  const look = (): void => {
    const [cpuNow, clockNow] = [used(), performance.now()];
    hold = Math.max(hold, Math.min(cpuNow - cpu, clockNow - clock));
    [cpu, clock] = [cpuNow, clockNow];
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return [cpu - start, hold];
}

type Case = (size: number) => Promise<Figures>;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(2);
};
const PATIENT = { timeoutMs: 60_000, connectTimeoutMs: 60_000 };

async function listening(handler: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(handler).listen(0, '0.0.0.0');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}
const sending = (body: () => string) => (_: unknown, res: ServerResponse) =>
  res.setHeader('Content-Type', 'application/json').end(body());

const allDown: Case = async (size) => {
  let isSick = false;
  // As good as a connection to a server near by: over in the next turn of the loop.
  const check = async (): Promise<void> => {
    await turn();
    if (isSick) throw new Error('sick');
  };
  const endpoints = names(size, 0);
  const directory = await createHealthDirectory({ endpoints, check, fall: 1, intervalMs: 1000, ...PATIENT });
  isSick = true;
  const figures = await measured(() => until(() => directory.status().healthy === 0));
  await directory.close();
  return figures;
};

/** Read over HTTP, each endpoint checked once, translated by a function. */
const changesWhole: Case = async (size) => {
  const bodies = [0, 1].map((round) => JSON.stringify(clusterBody(names(size, round))));
  let [round] = [0];
  const { server, url } = await listening(sending(() => String(bodies[round])));
  const upstream = await createUpstreamDirectory({ servers: [url], pollIntervalMs: 1000, timeoutMs: 60_000 });
  const health = await createHealthDirectory({ endpoints: upstream, check: () => turn(), ...PATIENT });
  const rules = ({ host, port }: { host: string; port: number }): string => `ssl://gw-${host}:${String(port)}`;
  const directory = createTranslatedDirectory({ endpoints: health, rules });
  round = 1;
  const isNew = (): boolean => directory.provider()[0]?.includes('.r1.') === true;
  const figures = await measured(() => until(() => isNew() && directory.status().healthy === size));
  for (const each of [directory, health, upstream]) await each.close();
  server.close();
  return figures;
};

/** The servers are one other process, and all list the same. */
const checked: Case = async (size) => {
  const servers = fork(fileURLToPath(import.meta.url), ['serve', String(size)]);
  const [url] = (await once(servers, 'message')) as [string];
  const figures = await measured(() => checkEndpoints(url, { timeoutMs: Infinity }));
  servers.kill();
  return figures;
};
async function serve(size: number): Promise<void> {
  const { url } = await listening(sending(() => body));
  const address = (index: number): string => url.replace('0.0.1', `1.${String(index >> 8)}.${String(index & 255)}`);
  const body = JSON.stringify(clusterBody(Array.from({ length: size }, (_, index) => address(index))));
  process.send?.(url);
}

/** The second answer of an application in this process. */
const answered = async (path: string, handler: Handler): Promise<Figures> => {
  const { server, url } = await listening(express().use(handler));
  const ask = async (): Promise<unknown> => (await fetch(url + path)).text();
  await ask();
  const figures = await measured(ask);
  server.close();
  return figures;
};
const CASES: Readonly<Record<string, Case>> = {
  'all go down together': allDown,
  'an upstream whose list changes whole': changesWhole,
  'the page': (size) => answered('/', createListingPage({ endpoints: names(size, 0), role: 'coordinator' })),
  'a fresh equal list': (size) => {
    const endpoints = (): string[] => names(size, 0);
    return answered('/_api/cluster/endpoints', createEndpointRouter({ role: 'coordinator', endpoints }));
  },
  checkEndpoints: checked,
};

if (process.argv[2] === 'serve') await serve(Number(process.argv[3]));
else {
  for (const [name, one] of Object.entries(CASES).filter(([name]) => name.includes(process.argv[3] ?? ''))) {
    for (const size of SIZES) {
      const [first, second] = [await one(size), await one(size)];
      const [cpu, hold] = first[0] < second[0] ? first : second;
      console.log(
        `${name}, ${String(size)}: ${cpu.toFixed(0)} ms of the processor, longest hold ${hold.toFixed(0)} ms`,
      );
    }
  }
}
