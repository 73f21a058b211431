import type { Socket } from 'node:net';
import { planInQuery, type Figures } from './figures.js';
import type { HostProcess } from './host-process.js';
import { KeepAliveClient } from './keep-alive-client.js';
import { openConnection } from './raw/connection.js';
import { growthOf, remainsOf } from './remains.js';

export interface LostClientsOptions {
  /** How many never read, and how many vanish. */
  readonly clients: number;
  /** How often, the first time only to warm up. */
  readonly rounds: number;
}

export interface LostClientsReport {
  /** Signals that aborted because the client had left. */
  readonly aborted: number;
  readonly faults: readonly string[];
}

/** The `timeoutMs` for the host: no signal may abort because of it. */
export const LOST_CLIENTS_TIMEOUT_MS = 600_000;

const request = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const BIG = request(`/_api/cluster/endpoints${planInQuery({ outcome: 'big', delayMs: 0, port: 1 })}`);
const HUNG = request(`/_api/cluster/endpoints${planInQuery({ outcome: 'hang', delayMs: 0, port: 1 })}`);
const HALF_HEAD = request('/_api/endpoint').slice(0, 30);
const HALF_BODY = 'GET /_api/endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345';

const WAYS_TO_GO: readonly ((socket: Socket) => void)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(() => socket.destroy()),
];

/**
 * Clients that never read what they asked for, and clients that vanish in the middle of a request, of the provider's work or of
 * an answer. Meanwhile others must be served.
 */
export async function loseClients(
  host: HostProcess,
  { clients, rounds }: LostClientsOptions,
): Promise<LostClientsReport> {
  const before = await host.figures();
  const heaps: number[] = [];
  const faults: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const silent = await openClients(host.port, clients);
    for (const socket of silent) socket.pause().write(BIG.repeat(3));
    faults.push(...(await serveOthers(host, 'clients that never read')));

    await vanish(host, clients, HALF_HEAD);
    await vanish(host, clients, HALF_BODY);
    await vanish(host, clients, BIG, (socket) => new Promise((resolve) => socket.once('data', resolve)));
    faults.push(...(await vanishWhileAsked(host, clients)));
    faults.push(...(await serveOthers(host, 'clients that vanish')));

    for (const socket of silent) socket.destroy();
    faults.push(...(await remainsOf(host, before)));
    heaps.push(await host.heap());
  }
  const { aborted } = await host.figures();
  const [first = 0] = heaps;
  return { aborted: aborted['AbortError'] ?? 0, faults: [...faults, ...growthOf(first, heaps.at(-1) ?? 0)] };
}

/** Clients that send some bytes, wait for something, and go, each in another way. */
async function vanish(
  host: HostProcess,
  clients: number,
  bytes: string,
  until: (socket: Socket) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const sockets = await openClients(host.port, clients);
  await Promise.all(
    sockets.map(async (socket) => {
      await new Promise((resolve) => socket.write(bytes, resolve));
      await until(socket);
    }),
  );
  leave(sockets);
}

/** Clients that go while the provider is at work: it must learn of each. */
async function vanishWhileAsked(host: HostProcess, clients: number): Promise<string[]> {
  const asked = await host.figures();
  const sockets = await openClients(host.port, clients);
  for (const socket of sockets) socket.write(HUNG);
  const waiting = await host.figuresWhen(({ running }) => running === asked.running + clients);
  if (waiting.running !== asked.running + clients) return [`only ${String(waiting.running)} calls of the provider`];

  leave(sockets);
  const abortsSince = ({ aborted }: Figures): number =>
    (aborted['AbortError'] ?? 0) - (asked.aborted['AbortError'] ?? 0);
  const left = await host.figuresWhen((figures) => abortsSince(figures) >= clients);
  return abortsSince(left) === clients ? [] : [`${String(abortsSince(left))} of ${String(clients)} signals aborted`];
}

async function serveOthers(host: HostProcess, meanwhile: string): Promise<string[]> {
  const client = await KeepAliveClient.open(host.port);
  const faults: string[] = [];
  for (let request = 0; request < 20; request += 1) {
    const { status } = await client.ask('/_api/endpoint');
    if (status !== 200) faults.push(`beside ${meanwhile}, another was answered ${String(status)}`);
  }
  client.close();
  return faults;
}

function openClients(port: number, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(port)));
}

function leave(sockets: readonly Socket[]): void {
  for (const [index, socket] of sockets.entries()) WAYS_TO_GO[index % WAYS_TO_GO.length]?.(socket);
}
