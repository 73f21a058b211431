import { once, type EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Listening } from '../../lib/listen/index.js';
import { ask } from '../support/router/ask.js';
import { makeCertificate } from '../support/certificate.js';
import { useListenOn } from '../support/process/listen-until-done.js';
import { timersOf } from '../support/timers-of.js';
import { until } from '../support/until.js';

const listenOnly = useListenOn();

/** `listenOn` with servers that never end an idle connection themselves: what ends one here is `close()`. */
const listen: typeof listenOnly = async (...args) => {
  const listening = await listenOnly(...args);
  for (const server of listening.servers) server.keepAliveTimeout = 0;
  return listening;
};

const hello: RequestListener = (_req, res) => {
  res.end('hello');
};

/** A handler that holds each request until `go` is called; `arrived` resolves when one has come. */
function holding(answer: RequestListener = hello) {
  let go = (): void => undefined;
  let came = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    came = resolve;
  });
  const handler: RequestListener = (req, res) => {
    came();
    void released.then(() => {
      answer(req, res);
    });
  };
  return { handler, arrived, go };
}

const first = ({ endpoints }: Listening): string => endpoints()[0] ?? '';
const portOf = (listening: Listening): number => Number(first(listening).split(':').at(-1));

/** One connection of a client: what has come, and when it has ended. */
function client(port: number, ca?: string) {
  const socket: Socket = ca === undefined ? connect(port, '127.0.0.1') : tls.connect({ port, host: 'localhost', ca });
  const connected = new Promise<void>((resolve) => {
    socket.once(ca === undefined ? 'connect' : 'secureConnect', () => {
      resolve();
    });
  });
  let received = '';
  const waiting: (() => void)[] = [];
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    for (const wake of waiting.splice(0)) wake();
  });
  const ended = new Promise<string>((resolve) => {
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve(received);
      });
  });
  return {
    socket,
    connected,
    ended,
    receives: async (text: string): Promise<void> => {
      while (!received.includes(text)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** A connection that has left HTTP behind; the host sends back what comes. */
async function upgraded(listening: Listening) {
  listening.servers[0]?.on('upgrade', (_req, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const connection = client(portOf(listening));
  connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  await connection.receives('101');
  return connection;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

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
      listening.servers[0]?.once('connection', (socket) => {
        resolve(new WeakRef(socket));
      });
    });
    await ask(first(listening));
    const connection = await connected;

    for (let tries = 0; connection.deref() !== undefined && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      collectGarbage();
    }
    expect(connection.deref()).toBeUndefined();
  });
});

describe('close()', () => {
  it('takes no more connections', async () => {
    const listening = await listen(hello, ['tcp://127.0.0.1:0']);
    const endpoint = first(listening);
    const closed = listening.close();

    await expect(ask(endpoint)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await closed;
    expect(listening.servers[0]?.listening).toBe(false);
  });

  it('gives the same promise at each call', async () => {
    const { close } = await listen(hello, ['tcp://127.0.0.1:0']);
    const closed = close();

    expect(close()).toBe(closed);
    await expect(closed).resolves.toBeUndefined();
    expect(close()).toBe(closed);
  });

  it('lets a running request finish, and its response says that the connection ends', async () => {
    const { handler, arrived, go } = holding();
    const listening = await listen(handler, ['tcp://127.0.0.1:0'], { closeTimeoutMs: Infinity });
    const { socket, ended } = client(portOf(listening));
    socket.write(GET);
    await arrived;

    let done = false;
    const closed = listening.close().then(() => {
      done = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(false);
    go();

    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n(.*\r\n)*\r\nhello$/);
    await closed;
  });

  it('ends a connection after its response also when the headers were out already', async () => {
    const { handler, arrived, go } = holding();
    const listening = await listen(
      (req, res) => {
        res.write('begun ');
        handler(req, res);
      },
      ['tcp://127.0.0.1:0'],
      { closeTimeoutMs: Infinity },
    );
    const { socket, ended, receives } = client(portOf(listening));
    socket.write(GET);
    await arrived;
    await receives('begun ');
    const closed = listening.close();
    go();

    expect(await ended).toMatch(/Connection: keep-alive\r\n(.*\r\n)*\r\n6\r\nbegun \r\n5\r\nhello\r\n0\r\n\r\n$/);
    await closed;
  });

  it('answers requests that are on a connection behind a running one, where the headers of that were out', async () => {
    const held = [holding(), holding()];
    let count = 0;
    const listening = await listen(
      (req, res) => {
        res.write(`<${String(count)}`);
        held[count++]?.handler(req, res);
      },
      ['tcp://127.0.0.1:0'],
      { closeTimeoutMs: Infinity },
    );
    const { socket, ended, receives } = client(portOf(listening));
    socket.write(GET);
    await receives('<0');
    const closed = listening.close();
    socket.write(GET);
    await held[1]?.arrived;
    held[0]?.go();
    await receives('hello');
    // Time for the end of the first answer to do harm to the second.
    await new Promise((resolve) => setTimeout(resolve, 50));
    held[1]?.go();

    const received = await ended;
    expect(received.match(/<\d|hello|Connection: [a-z-]+/g)).toEqual([
      'Connection: keep-alive',
      '<0',
      'hello',
      'Connection: close',
      '<1',
      'hello',
    ]);
    await closed;
  });

  it('closes idle connections at once, though another request runs', async () => {
    const { handler, arrived, go } = holding();
    const listening = await listen(
      (req, res) => {
        (req.url === '/held' ? handler : hello)(req, res);
      },
      ['tcp://127.0.0.1:0'],
      { closeTimeoutMs: Infinity },
    );
    const held = client(portOf(listening));
    held.socket.write(GET.replace('/', '/held'));
    await arrived;
    const idle = client(portOf(listening));
    idle.socket.write(GET);
    await idle.receives('hello');

    const closed = listening.close();
    expect(await idle.ended).toMatch(/hello$/);
    expect(held.socket.closed).toBe(false);
    go();
    await closed;
  });

  it.each(['tcp', 'ssl'])('closes connections at once that never sent a request: %s', async (scheme) => {
    const listening = await listen(hello, [`${scheme}://127.0.0.1:0`], { ssl: certificate, closeTimeoutMs: Infinity });
    const { connected, ended } = client(portOf(listening), scheme === 'ssl' ? certificate.cert : undefined);
    await connected;
    await ask(first(listening), { ca: certificate.cert });

    await listening.close();
    expect(await ended).toBe('');
  });

  it('does not cut an answer that is complete and still on its way to a slow client', async () => {
    const size = 30_000_000;
    const listening = await listen(
      (_req, res) => {
        res.end(Buffer.alloc(size));
      },
      ['tcp://127.0.0.1:0'],
      { closeTimeoutMs: Infinity },
    );
    const socket = connect(portOf(listening), '127.0.0.1', () => socket.write(GET));
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    await once(socket, 'data');
    socket.pause();
    const closed = listening.close();
    socket.resume();

    await once(socket, 'close');
    expect(received).toBeGreaterThan(size);
    await closed;
  });

  it.each([50, 0])('cuts requests that still run after closeTimeoutMs, %i ms', async (closeTimeoutMs) => {
    const { handler, arrived } = holding();
    const listening = await listen(handler, ['tcp://127.0.0.1:0'], { closeTimeoutMs });
    const { socket, ended } = client(portOf(listening));
    socket.write(GET);
    await arrived;

    await listening.close();
    expect(await ended).toBe('');
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

  it.each(['tcp', 'ssl'])('does not wait for a client that has sent one byte of its request: %s', async (scheme) => {
    const listening = await listen(hello, [`${scheme}://127.0.0.1:0`], { ssl: certificate, closeTimeoutMs: Infinity });
    const { socket, connected, ended } = client(portOf(listening), scheme === 'ssl' ? certificate.cert : undefined);
    const [server] = listening.servers;
    const accepted = once(server as object as EventEmitter, scheme === 'ssl' ? 'secureConnection' : 'connection');
    await connected;
    const [connection] = (await accepted) as [Socket];
    socket.write('G');
    while (connection.bytesRead === 0) await new Promise((resolve) => setTimeout(resolve, 1));

    await listening.close();
    expect(await ended).toBe('');
  });

  it('gives a request whose head has begun to arrive the time for the rest', async () => {
    const listening = await listen(hello, ['tcp://127.0.0.1:0'], { closeTimeoutMs: Infinity });
    const accepted = once(listening.servers[0] as object as EventEmitter, 'connection');
    const { socket, ended } = client(portOf(listening));
    const [connection] = (await accepted) as [Socket];
    socket.write(GET.slice(0, 10));
    while (connection.bytesRead === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const closed = listening.close();
    socket.write(GET.slice(10));

    expect(await ended).toMatch(/Connection: close\r\n(.*\r\n)*\r\nhello$/);
    await closed;
  });

  it('does not wait for a TLS handshake that has begun', async () => {
    const listening = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: certificate, closeTimeoutMs: Infinity });
    const accepted = once(listening.servers[0] as object as EventEmitter, 'connection');
    const { socket, ended } = client(portOf(listening));
    const [connection] = (await accepted) as [Socket];
    const { bytesRead } = connection;
    socket.write('\x16\x03\x01\x02\x00', 'latin1');
    while (connection.bytesRead === bytesRead) await new Promise((resolve) => setTimeout(resolve, 1));

    await listening.close();
    expect(await ended).toBe('');
  });

  it.each(['tcp', 'ssl'])('waits for a running request longer than for the head of one: %s', async (scheme) => {
    const { handler, arrived, go } = holding();
    const listening = await listen(handler, [`${scheme}://127.0.0.1:0`], {
      ssl: certificate,
      closeTimeoutMs: Infinity,
    });
    const { socket, connected, ended } = client(portOf(listening), scheme === 'ssl' ? certificate.cert : undefined);
    await connected;
    socket.write(GET);
    await arrived;
    const closed = listening.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    go();

    expect(await ended).toMatch(/hello$/);
    await closed;
  });

  it('waits for a request with Expect: 100-continue that the host takes itself', async () => {
    const { handler, arrived, go } = holding();
    const listening = await listen(hello, ['tcp://127.0.0.1:0'], { closeTimeoutMs: Infinity });
    listening.servers[0]?.on('checkContinue', handler);
    const { socket, ended } = client(portOf(listening));
    socket.write(GET.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
    await arrived;
    const closed = listening.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    go();

    expect(await ended).toMatch(/Connection: close\r\n(.*\r\n)*\r\nhello$/);
    await closed;
  });

  it('answers a request to upgrade as any other once the host no longer listens for them', async () => {
    const listening = await listen(hello, ['tcp://127.0.0.1:0']);
    const [server] = listening.servers;
    const upgrade = jest.fn();
    server?.on('upgrade', upgrade).off('upgrade', upgrade);
    server?.once('upgrade', upgrade).removeAllListeners('upgrade');
    const { socket, receives } = client(portOf(listening));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');

    await receives('hello');
    expect([upgrade.mock.calls.length, server?.listenerCount('upgrade')]).toEqual([0, 0]);
  });

  it('leaves upgraded connections to the host', async () => {
    const listening = await listen(hello, ['tcp://127.0.0.1:0'], { closeTimeoutMs: Infinity });
    const { socket, ended, receives } = await upgraded(listening);
    const closed = listening.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    socket.write('still here');
    await receives('still here');
    socket.end();

    await ended;
    await closed;
  });

  it('cuts upgraded connections after closeTimeoutMs', async () => {
    const listening = await listen(hello, ['tcp://127.0.0.1:0'], { closeTimeoutMs: 50 });
    const { ended } = await upgraded(listening);

    await listening.close();
    await ended;
  });

  it('cuts TLS handshakes that never end', async () => {
    const listening = await listen(hello, ['ssl://127.0.0.1:0'], { ssl: certificate, closeTimeoutMs: 50 });
    const accepted = new Promise<Socket>((resolve) => listening.servers[0]?.once('connection', resolve));
    const { socket, ended } = client(portOf(listening));
    // The head of a handshake record, without the record.
    socket.write('\x16\x03\x01\x02\x00', 'latin1');
    const { bytesRead } = await accepted;
    while ((await accepted).bytesRead === bytesRead) await new Promise((resolve) => setTimeout(resolve, 1));

    await listening.close();
    expect(await ended).toBe('');
  });

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
