import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { createAppServer, listenOn } from '../../lib/listen/index.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';
import { leaveStaleSocket } from '../support/process/stale-socket.js';
import { turnedClock } from '../support/turned-clock.js';
import { until } from '../support/until.js';

const clock = turnedClock();
const scratch = useScratchFolder();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection of which the server has got some bytes, as the server sees it. */
async function begun(server: Server, text: string): Promise<Socket> {
  const accepted = once(server, 'connection');
  const { port } = server.address() as { port: number };
  sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
  sockets.at(-1)?.write(text);
  const [connection] = (await accepted) as [Socket];
  await until('the bytes are there', () => connection.bytesRead > 0);
  return connection;
}

describe('A server that listenOn has made', () => {
  it.each<[what: string, text: string, ms: number]>([
    ['a running request, 10 s', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 10_000],
    ['a request head that has only begun, a second', 'GET / HT', 1000],
  ])('gives, once it closes, %s', async (_what, text, ms) => {
    const { servers, close } = await listenOn(() => undefined, ['tcp://127.0.0.1:0']);
    const connection = await begun(servers[0] as object as Server, text);
    const closed = close();
    await clock.turn(ms - 1);
    expect(connection.destroyed).toBe(false);
    await clock.turn(1);
    expect(connection.destroyed).toBe(true);
    await closed;
  });

  it('looks twice at a socket file that refuses, 100 ms apart', async () => {
    const path = scratch('s');
    await leaveStaleSocket(path);
    await Promise.all([
      listenOn(() => undefined, [`unix://${path}`]).then(({ close }) => close()),
      until('it has looked once', () => clock.delays().includes(100)).then(() => clock.turn(100)),
    ]);
  });

  it('keeps an idle connection for 300 s, as createAppServer does', async () => {
    const { servers, close } = await listenOn(() => undefined, ['tcp://127.0.0.1:0']);
    const kept = [servers[0], createAppServer(express())].map((server) => server?.keepAliveTimeout);
    expect(kept).toEqual([300_000, 300_000]);
    await close();
  });
});
