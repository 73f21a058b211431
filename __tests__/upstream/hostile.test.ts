import type { ServerResponse } from 'node:http';
import { next } from '../support/dns/srv-directories.js';
import { seeded } from '../support/seeded.js';
import type { Reply } from '../support/upstream/coordinator.js';
import { polled, upstreamDirectories } from '../support/upstream/upstream-directories.js';
import { processorMs } from '../support/processor-time.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';
const MEGABYTE = 1_000_000;

/** Writes as fast as the other side reads, until it leaves or enough has been written. */
async function pour(res: ServerResponse, chunk: string | Buffer, bytes: number): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  const closed = new Promise<void>((resolve) => res.once('close', resolve));
  for (let written = 0; written < bytes && !res.destroyed; written += chunk.length) {
    if (!res.write(chunk)) await Promise.race([closed, new Promise<void>((resolve) => res.once('drain', resolve))]);
  }
  res.end();
}

async function stale(reply: Reply, options = {}): Promise<string> {
  const server = await serve([A]);
  const directory = await list([server], options);
  server.reply(reply);
  const [reason] = (await next(directory, 'stale')) as [Error];
  expect(directory.provider()).toStrictEqual([A]);
  server.reply([A]);
  await next(directory, 'live');
  await directory.close();
  return reason.message.replace(/^(?:GET )?http:\/\/127\.0\.0\.1:\d+(?:\/_api\/cluster\/endpoints)?: /, '');
}

describe('an upstream that answers with', () => {
  it('1 GB is cut off at 10 MB', async () => {
    let written = 0;
    const reason = await stale((_req, res) => {
      const before = res.socket?.bytesWritten ?? 0;
      const { socket } = res;
      void pour(res, ' '.repeat(64_000), 1000 * MEGABYTE).then(() => {
        written = (socket?.bytesWritten ?? 0) - before;
      });
    });
    expect(reason).toBe('the body is longer than 10000000 bytes');
    // What the buffers of two sockets hold comes on top.
    expect(written).toBeLessThan(40 * MEGABYTE);
  });

  it('a head that never ends is cut off', async () => {
    const reason = await stale(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`X-${'a'.repeat(1000)}: b\r\n`), 1);
      socket.once('close', () => clearInterval(timer));
    });
    expect(reason).toMatch(/^no answer: "Parse Error: Header overflow"$/);
  });

  it('a status that is none of HTTP is said to be that', async () => {
    for (const status of ['000', '099', '600', '999']) {
      const reason = await stale(({ socket }) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
      expect(reason).toBe(`the status ${String(Number(status))} is not one of HTTP`);
    }
  });

  it('random bytes, in any framing, makes the list stale and nothing else', async () => {
    const random = seeded(8529);
    const bytes = (count: number): Buffer =>
      Buffer.from(Array.from({ length: count }, () => Math.floor(random.between(0, 256))));
    const server = await serve([A]);
    const directory = await list([server], { pollIntervalMs: 1, timeoutMs: 10_000 });
    server.reply((_req, res) => {
      if (random.next() < 0.5) res.socket?.end(bytes(random.between(1, 300)));
      else {
        res.setHeader('Content-Type', 'application/json');
        res.end(bytes(random.between(1, 300)));
      }
    });
    await polled(server, 200);
    expect(directory.status()).toMatchObject({ state: 'stale', count: 1 });
    expect(directory.provider()).toStrictEqual([A]);
  });

  it.each<[string, (index: number) => unknown]>([
    ['endpoints', (index) => ({ endpoint: `tcp://c${String(index)}.example:8529` })],
    ['entries that are none', (index) => index],
  ])('100,000 %s is refused, and holds up nobody for long', async (_what, entry) => {
    const body = JSON.stringify({
      error: false,
      code: 200,
      endpoints: Array.from({ length: 100_000 }, (_, index) => entry(index)),
    });
    const before = processorMs();
    const reason = await stale((_req, res) => {
      res.setHeader('Content-Type', 'application/json');
      res.end(body);
    });
    expect(reason).toBe('the listing has more than 10000 entries');
    // The test's own server is in it, too.
    expect(processorMs() - before).toBeLessThan(2000);
  });

  it('10,000 endpoints is served', async () => {
    const endpoints = Array.from(
      { length: 10_000 },
      (_, index) => `tcp://c${String(index).padStart(5, '0')}.example:8529`,
    );
    const directory = await list([await serve(endpoints)]);
    expect(directory.provider()).toStrictEqual(endpoints);
  });
});
