import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Listening } from '../../lib/listen/index.js';
import { freePort } from '../support/process/free-port.js';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { hello, useListenOn } from '../support/process/listen-until-done.js';
import { timersOf } from '../support/timers-of.js';
import { turnedClock } from '../support/turned-clock.js';
import { pause, until } from '../support/until.js';

const listenOnly = useListenOn();
const clock = turnedClock();

/** `listenOn` with servers that never end an idle connection themselves: what ends one here is `close()`. */
const listen: typeof listenOnly = async (...args) => {
  const listening = await listenOnly(...args);
  for (const server of listening.servers) server.keepAliveTimeout = 0;
  return listening;
};

/** A handler that holds each request until `go` is called; `arrived` resolves when one has come. */
function holding(answer: RequestListener = hello) {
  const [arrival, release] = [new AbortController(), new AbortController()];
  const arrived = once(arrival.signal, 'abort');
  const handler: RequestListener = (req, res) => {
    release.signal.addEventListener('abort', () => answer(req, res));
    arrival.abort();
  };
  const go = (): void => release.abort();
  return { handler, arrived, go };
}

const first = ({ endpoints }: Listening): string => endpoints()[0] ?? '';
const portOf = (listening: Listening): number => Number(first(listening).split(':').at(-1));

/** One connection of a client: what has come, and when it has ended. */
function client(port: number, ca?: string) {
  const socket: Socket = ca === undefined ? connect(port, '127.0.0.1') : tls.connect({ port, host: 'localhost', ca });
  const connected = once(socket, ca === undefined ? 'connect' : 'secureConnect');
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
  return { socket, connected, ended, receives: (text: string) => until(text, () => received.includes(text)) };
}

/** A server that waits for whatever runs when it closes, and one connection to it, as both sides have it. */
async function open(handler: RequestListener, scheme = 'tcp', closeTimeoutMs = Infinity) {
  const listening = await listen(handler, [`${scheme}://127.0.0.1:0`], { ssl: certificate, closeTimeoutMs });
  const [server] = listening.servers as [Server];
  const accepted = once(server, scheme === 'ssl' ? 'secureConnection' : 'connection') as Promise<[Socket]>;
  const { connected, ...connection } = client(portOf(listening), scheme === 'ssl' ? certificate.cert : undefined);
  const [[atServer]] = await Promise.all([accepted, connected]);
  return { listening, server, close: listening.close, atServer, ...connection };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Sends bytes, and waits until the server has got some of them. */
async function send({ socket, atServer }: Pick<Opened, 'socket' | 'atServer'>, bytes: string): Promise<void> {
  const { bytesRead } = atServer;
  socket.write(bytes, 'latin1');
  await until('the bytes are there', () => atServer.bytesRead > bytesRead);
}

/** A connection that has left HTTP behind; the host sends back what comes. */
async function upgraded(closeTimeoutMs = Infinity): Promise<Opened> {
  const opened = await open(hello, 'tcp', closeTimeoutMs);
  opened.server.on('upgrade', (_req, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  opened.socket.write(UPGRADE);
  await opened.receives('101');
  return opened;
}

/** A TLS handshake of which the head of a record has come, without the record. */
async function halfHandshake(closeTimeoutMs: number): Promise<Opened> {
  const listening = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: certificate, closeTimeoutMs });
  const [server] = listening.servers as [Server];
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = client(portOf(listening));
  const [atServer] = await accepted;
  await send({ ...connection, atServer }, '\x16\x03\x01\x02\x00');
  return { listening, server, close: listening.close, atServer, ...connection };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const UPGRADE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

let certificate: { readonly key: string; readonly cert: string };

beforeAll(async () => {
  certificate = await makeCertificate();
});

describe('A server that runs', () => {
  it('keeps nothing of a connection that has ended', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const listening = await listen(hello, ['tcp://127.0.0.1:0']);
    const connected = new Promise<WeakRef<Socket>>((resolve) => {
      listening.servers[0]?.once('connection', (socket) => resolve(new WeakRef(socket)));
    });
    await ask(first(listening));
    const connection = await connected;
    await until('it is collected', () => {
      collectGarbage();
      return connection.deref() === undefined;
    });
  });

  it('answers a request to upgrade as any other once the host no longer listens for them', async () => {
    const { server, socket, receives } = await open(hello);
    const upgrade = jest.fn();
    server.on('upgrade', upgrade).off('upgrade', upgrade);
    server.once('upgrade', upgrade).removeAllListeners('upgrade');
    socket.write(UPGRADE);

    await receives('hello');
    expect([upgrade.mock.calls.length, server.listenerCount('upgrade')]).toEqual([0, 0]);
  });
});

describe('close()', () => {
  it('takes no more connections, and gives the same promise at each call', async () => {
    const endpoint = `tcp://127.0.0.1:${String(await freePort())}`;
    const listening = await listen(hello, [endpoint]);
    const closed = listening.close();

    expect(listening.close()).toBe(closed);
    await expect(ask(endpoint)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(closed).resolves.toBeUndefined();
    expect(listening.close()).toBe(closed);
    expect(listening.servers[0]?.listening).toBe(false);
  });

  it.each(['tcp', 'ssl'])(
    'lets a running request finish, and its response says that the connection ends: %s',
    async (scheme) => {
      const { handler, arrived, go } = holding();
      const { socket, close, ended } = await open(handler, scheme);
      socket.write(GET);
      await arrived;
      const closed = close();
      // Longer than for the head of a request.
      await clock.turn(100_000);
      go();

      expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n(.*\r\n)*\r\nhello$/);
      await closed;
    },
  );

  it('waits for a request with Expect: 100-continue that the host takes itself', async () => {
    const { handler, arrived, go } = holding();
    const { server, socket, close, ended } = await open(hello);
    server.on('checkContinue', handler);
    socket.write(GET.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
    await arrived;
    const closed = close();
    await clock.turn(100_000);
    go();

    expect(await ended).toMatch(/Connection: close\r\n(.*\r\n)*\r\nhello$/);
    await closed;
  });

  it('ends a connection after its response also when the headers were out already', async () => {
    const { handler, arrived, go } = holding();
    const { socket, close, ended, receives } = await open((req, res) => {
      res.write('begun ');
      handler(req, res);
    });
    socket.write(GET);
    await arrived;
    await receives('begun ');
    const closed = close();
    go();

    expect(await ended).toMatch(/Connection: keep-alive\r\n(.*\r\n)*\r\n6\r\nbegun \r\n5\r\nhello\r\n0\r\n\r\n$/);
    await closed;
  });

  it('answers requests that are on a connection behind a running one, where the headers of that were out', async () => {
    const held = [holding(), holding()];
    let count = 0;
    const { socket, close, ended, receives } = await open((req, res) => {
      res.write(`<${String(count)}`);
      held[count++]?.handler(req, res);
    });
    socket.write(GET);
    await receives('<0');
    const closed = close();
    socket.write(GET);
    await held[1]?.arrived;
    held[0]?.go();
    await receives('hello');
    // Time for the end of the first answer to do harm to the second.
    await pause(50);
    held[1]?.go();

    expect((await ended).match(/<\d|hello|Connection: [a-z-]+/g)?.join()).toBe(
      'Connection: keep-alive,<0,hello,Connection: close,<1,hello',
    );
    await closed;
  });

  it('closes idle connections at once, though another request runs', async () => {
    const { handler, arrived, go } = holding();
    const { listening, socket, close } = await open((req, res) => (req.url === '/held' ? handler : hello)(req, res));
    socket.write(GET.replace('/', '/held'));
    await arrived;
    const idle = client(portOf(listening));
    idle.socket.write(GET);
    await idle.receives('hello');

    const closed = close();
    expect(await idle.ended).toMatch(/hello$/);
    expect(socket.closed).toBe(false);
    go();
    await closed;
  });

  it.each(['tcp', 'ssl'])('closes connections at once that never sent a request: %s', async (scheme) => {
    const { close, ended } = await open(hello, scheme);
    await close();
    expect(await ended).toBe('');
  });

  it('does not cut an answer that is complete and still on its way to a slow client', async () => {
    const size = 30_000_000;
    const { socket, close } = await open((_req, res) => res.end(Buffer.alloc(size)));
    let received = 0;
    socket.on('data', (chunk: string) => (received += chunk.length));
    socket.write(GET);
    await once(socket, 'data');
    socket.pause();
    const closed = close();
    socket.resume();

    await once(socket, 'close');
    expect(received).toBeGreaterThan(size);
    await closed;
  });

  it('ends a connection after a response whose setHeader the host has made to throw, and the port is free', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { handler, arrived, go } = holding();
    const closing = new AbortController();
    const listening = await listen(
      (req, res) => {
        res.setHeader = () => {
          throw new Error('the host is broken');
        };
        handler(req, res);
      },
      ['tcp://127.0.0.1:0', 'tcp://localhost:0'],
      { closeTimeoutMs: Infinity, signal: closing.signal },
    );
    const { socket, ended } = client(portOf(listening));
    socket.write(GET);
    await arrived;
    closing.abort();
    expect(listening.servers.map((server) => server.listening)).toEqual([false, false]);
    // The second request of the connection finds a closing server.
    socket.write(GET);
    go();

    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\n.*hello$/s);
    await listening.close();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each(['tcp', 'ssl', 'a TLS handshake'])(
    'waits a second, and no longer, for the rest of what has begun: %s',
    async (scheme) => {
      const opened = scheme.startsWith('a') ? await halfHandshake(Infinity) : await open(hello, scheme);
      if (!scheme.startsWith('a')) await send(opened, 'G');
      const closed = opened.close();
      await clock.turn(1000);

      expect(await opened.ended).toBe('');
      await closed;
    },
  );

  it('gives a request whose head has begun to arrive the time for the rest', async () => {
    const opened = await open(hello);
    await send(opened, GET.slice(0, 10));
    const closed = opened.close();
    opened.socket.write(GET.slice(10));

    expect(await opened.ended).toMatch(/Connection: close\r\n(.*\r\n)*\r\nhello$/);
    await closed;
  });

  it('leaves upgraded connections to the host', async () => {
    const { socket, close, ended, receives } = await upgraded();
    const closed = close();
    await clock.turn(100_000);
    socket.write('still here');
    await receives('still here');
    socket.end();

    await ended;
    await closed;
  });

  it.each<[what: string, closeTimeoutMs: number, begin: (closeTimeoutMs: number) => Promise<Opened>]>([
    ['requests', 50, runningRequest],
    ['requests', 0, runningRequest],
    ['upgraded connections', 50, upgraded],
    ['TLS handshakes', 50, halfHandshake],
  ])('cuts %s that still run after closeTimeoutMs, %i ms', async (_what, closeTimeoutMs, begin) => {
    const { close, ended } = await begin(closeTimeoutMs);
    const closed = close();
    await clock.turn(closeTimeoutMs);

    expect(await ended).not.toContain('hello');
    await closed;
  });

  async function runningRequest(closeTimeoutMs: number): Promise<Opened> {
    const { handler, arrived } = holding();
    const opened = await open(handler, 'tcp', closeTimeoutMs);
    opened.socket.write(GET);
    await arrived;
    return opened;
  }

  it('works behind a server that the host has closed itself', async () => {
    const { servers, close } = await listen(hello, ['tcp://127.0.0.1:0', 'tcp://localhost:0']);
    await new Promise((resolve) => servers[0]?.close(resolve));

    await expect(close()).resolves.toBeUndefined();
  });

  it('leaves no timer behind', async () => {
    const timers = timersOf('listen');
    const { handler, arrived, go } = holding();
    const listening = await listen(handler, ['tcp://127.0.0.1:0']);
    const answer = ask(first(listening));
    await arrived;
    const closed = listening.close();
    expect(timers.pending()).toBeGreaterThan(0);
    go();
    await Promise.all([closed, answer]);

    await until('no timer is left', () => timers.pending() === 0);
    timers.stop();
  });
});
