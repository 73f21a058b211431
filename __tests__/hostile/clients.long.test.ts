import * as fc from 'fast-check';
import type { Socket } from 'node:net';
import { openConnection } from '../support/hostile/connection.js';
import { HostProcess, planInQuery, type Figures, type Plan } from '../support/hostile/host-process.js';
import { KeepAliveClient, type Answer } from '../support/hostile/keep-alive-client.js';

const ROUNDS = 10;
const REQUESTS = 200;
const CLIENTS = 60;

/** The heap has to stay within 10 % of what it was. */
function expectNoGrowth(heaps: readonly number[]): void {
  expect(heaps.at(-1)).toBeLessThanOrEqual(Number(heaps[0]) * 1.1);
}

describe.each([5, 4] as const)(
  'A host on Express %i whose provider takes its time, fails and hangs',
  (expressMajor) => {
    const delayMs = fc.integer({ min: 0, max: 200 });
    const outcome = (weight: number, outcome: Plan['outcome']) => ({
      weight,
      arbitrary: fc.record({ outcome: fc.constant(outcome), delayMs }),
    });
    const plan = fc.oneof(outcome(75, 'ok'), outcome(20, 'fail'), outcome(3, 'late'), outcome(2, 'hang'));

    function fits({ status, body }: Answer, { outcome, port }: Plan): boolean {
      if (outcome === 'ok') return status === 200 && body === `[{"endpoint":"http://10.0.0.1:${String(port)}"}]`;
      if (outcome === 'fail') return status === 500 && body.endsWith('"errorMessage":"internal error","errorNum":4}');
      return status === 503 && body.endsWith('"errorMessage":"service unavailable","errorNum":503}');
    }

    it('gives each request the one answer that fits, and keeps no memory, no timer and no listener', async () => {
      // Longer than any delay of the provider.
      const host = await HostProcess.start(expressMajor, 400);
      const statuses = new Set<number>();
      const heaps: number[] = [];
      const faults: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        // Each has a port of its own.
        const plans = fc
          .sample(plan, { numRuns: REQUESTS, seed: round })
          .map((each, port) => ({ ...each, port: port + 1 }));
        const queue = plans.values();
        const misfits = new Map<number, string>();
        const clients = await KeepAliveClient.openAll(host.port, 50);
        const work = async (client: KeepAliveClient): Promise<void> => {
          for (const planned of queue) {
            const answer = await client.ask(`/_api/endpoint${planInQuery(planned)}`);
            statuses.add(answer.status);
            if (!fits(answer, planned)) misfits.set(planned.port, JSON.stringify({ planned, answer }));
          }
        };
        await Promise.all(clients.map(work));
        for (const client of clients) {
          if (client.surplus !== '') faults.push(`nobody asked for ${JSON.stringify(client.surplus)}`);
          client.close();
        }
        for (const port of (await host.figures()).overdue) misfits.delete(port);
        faults.push(...misfits.values(), ...(await host.remains()));
        heaps.push(await host.heap());
      }
      await host.stop();

      expect(faults).toEqual([]);
      expect([...statuses].sort()).toEqual([200, 500, 503]);
      // In the first round the code of the host is compiled, and its caches are filled.
      expectNoGrowth(heaps.slice(1));
    });
  },
);

describe.each([5, 4] as const)(
  'A host on Express %i with clients that never read and clients that vanish',
  (expressMajor) => {
    const request = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const planned = (outcome: Plan['outcome']): string =>
      request(`/_api/cluster/endpoints${planInQuery({ outcome, delayMs: 0, port: 1 })}`);
    const HALF_BODY = 'GET /_api/endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345';
    const abortsOf = ({ aborted }: Figures): number => aborted['AbortError'] ?? 0;

    let host: HostProcess;
    const openClients = (): Promise<Socket[]> =>
      Promise.all(Array.from({ length: CLIENTS }, () => openConnection(host.port)));

    function leave(sockets: readonly Socket[]): void {
      const ways: readonly ((socket: Socket) => void)[] = [
        (socket) => socket.destroy(),
        (socket) => socket.resetAndDestroy(),
        (socket) => socket.end(() => socket.destroy()),
      ];
      for (const [index, socket] of sockets.entries()) ways[index % ways.length]?.(socket);
    }

    /** Clients that send some bytes, wait for something, and go. */
    async function vanish(bytes: string, until: (sockets: Socket[]) => Promise<unknown> | undefined): Promise<void> {
      const sockets = await openClients();
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(bytes, resolve))));
      await until(sockets);
      leave(sockets);
    }

    async function expectOthersServed(): Promise<void> {
      const client = await KeepAliveClient.open(host.port);
      for (let count = 0; count < 20; count += 1) expect((await client.ask('/_api/endpoint')).status).toBe(200);
      client.close();
    }

    it('serves the others, aborts the signal of each that left, and keeps nothing of them', async () => {
      // No signal may abort because of the time.
      host = await HostProcess.start(expressMajor, 600_000);
      const heaps: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const silent = await openClients();
        for (const socket of silent) socket.pause().write(planned('big').repeat(3));
        await expectOthersServed();
        await vanish(HALF_BODY.slice(0, 30), () => undefined);
        await vanish(HALF_BODY, () => undefined);
        await vanish(planned('big'), (sockets) =>
          Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))),
        );
        const { running } = await host.figures();
        const waiting = running + CLIENTS;
        await vanish(planned('hang'), async () => {
          expect((await host.figuresWhen((figures) => figures.running === waiting)).running).toBe(waiting);
        });
        const aborts = (round + 1) * CLIENTS;
        expect(abortsOf(await host.figuresWhen((figures) => abortsOf(figures) >= aborts))).toBe(aborts);
        await expectOthersServed();
        for (const socket of silent) socket.destroy();
        expect(await host.remains()).toEqual([]);
        heaps.push(await host.heap());
      }
      await host.stop();
      expectNoGrowth(heaps);
    });
  },
);
