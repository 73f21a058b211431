import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { fetchEndpoints, type FetchEndpointsOptions } from '../../lib/client/index.js';
import { answerWith, type AnsweringServer } from '../support/router/answering-server.js';
import { processorMs } from '../support/processor-time.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { 'content-encoding': 'gzip' };
const LISTING = '[{"endpoint":"tcp://a:1"}]';

let server: AnsweringServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Asks a server that answers so. */
async function ask(
  body: string | Buffer,
  options: FetchEndpointsOptions = {},
  status = 200,
  headers: Record<string, string> = {},
): Promise<string[]> {
  server = await answerWith((_req, res) => res.writeHead(status, { ...JSON_TYPE, ...headers }).end(body));
  return fetchEndpoints(`http://${server.address}`, { timeoutMs: 30_000, ...options });
}

describe('the size of the body', () => {
  it('may be exactly maxBytes, and not a byte more', async () => {
    await expect(ask(LISTING, { maxBytes: 26 })).resolves.toEqual(['tcp://a:1']);
    await server?.close();
    await expect(ask(LISTING, { maxBytes: 25 })).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringMatching(/endpoints: the body is longer than 25 bytes$/) as string,
    });
  });

  it('is 1,000,000 bytes at most by default, and the rest of an endless body is not read', async () => {
    const block = Buffer.alloc(65_536, ' ');
    server = await answerWith((_req, res) => {
      res.writeHead(200, JSON_TYPE);
      const write = (): void => {
        while (!res.destroyed && res.write(block));
      };
      res.on('drain', write);
      write();
    });
    await expect(fetchEndpoints(`http://${server.address}`, { timeoutMs: 30_000 })).rejects.toMatchObject({
      kind: 'too-large',
      message: `GET http://${server.address}/_api/cluster/endpoints: the body is longer than 1000000 bytes`,
    });
    await server.allConnectionsGone();
  });

  it('counts after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
    expect(bomb.length).toBeLessThan(25_000);
    await expect(ask(bomb, {}, 200, GZIP)).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('counts for the body of an error, too', async () => {
    await expect(ask(' '.repeat(1001), { maxBytes: 1000 }, 500)).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('may be that of a listing with 15,000 endpoints by default', async () => {
    const sent = Array.from({ length: 15_000 }, (_, index) => `tcp://coordinator-${String(index)}.example.org:8529`);
    await expect(ask(JSON.stringify({ endpoints: sent.map((endpoint) => ({ endpoint })) }))).resolves.toEqual(sent);
  });
});

describe('the levels of arrays and objects in the body', () => {
  const body = (levels: number): string =>
    `{"x\\"[":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"endpoints":[]}`;

  it('may be 100, and not 101', async () => {
    await expect(ask(body(100))).resolves.toEqual([]);
    await server?.close();
    await expect(ask(body(101))).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringMatching(/: the body has more than 100 levels of arrays and objects$/) as string,
    });
  });

  it('do not count in strings, behind an escape either, or side by side', async () => {
    const endpoint = `${'['.repeat(200)}\\"${'{'.repeat(200)}\\`;
    const sent = Array.from({ length: 200 }, () => ({ endpoint }));
    await expect(ask(JSON.stringify(sent))).resolves.toEqual(sent.map(() => endpoint));
  });

  it('of an error body leave the status to say why', async () => {
    await expect(ask(body(101), {}, 501)).rejects.toMatchObject({ kind: 'refused', code: 501 });
  });

  it('cannot stop the process for seconds: 9.5 kB of gzip that hold 4.9 million', async () => {
    const bomb = gzipSync('['.repeat(4_900_000), { level: 9 });
    expect(bomb.length).toBeLessThan(10_000);
    let longestMs = 0;
    let last = processorMs();
    const heartbeat = setInterval(() => {
      longestMs = Math.max(longestMs, processorMs() - last);
      last = processorMs();
    }, 5);
    await expect(ask(bomb, { maxBytes: 10_000_000 }, 200, GZIP)).rejects.toMatchObject({ kind: 'malformed' });
    clearInterval(heartbeat);

    // Parsing it takes 1,700 ms and more.
    expect(longestMs).toBeLessThan(1000);
  });
});

describe('the time', () => {
  it('is up when no answer begins, and the connection is cut', async () => {
    server = await answerWith(() => undefined);
    const asking = fetchEndpoints(`http://${server.address}`, { timeoutMs: 50 });
    await expect(asking).rejects.toMatchObject({
      name: 'ListingError',
      kind: 'timeout',
      message: `GET http://${server.address}/_api/cluster/endpoints: no complete answer within 50 ms`,
    });
    await server.allConnectionsGone();
  });

  it("is up, whatever a fetch of one's own does with the signal", async () => {
    const signals: unknown[] = [];
    const fetch: typeof globalThis.fetch = (_url, init) => {
      signals.push(init?.signal?.aborted);
      return new Promise(() => undefined);
    };
    await expect(fetchEndpoints('http://127.0.0.1:1', { fetch, timeoutMs: 10 })).rejects.toMatchObject({
      kind: 'timeout',
    });
    expect(signals).toEqual([false]);
  });

  it('has no limit with Infinity', () => {
    jest.useFakeTimers();
    void fetchEndpoints('http://127.0.0.1:1', { fetch: () => new Promise(() => undefined), timeoutMs: Infinity });
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('the reading of a body', () =>
  it("ends with the time also where a fetch of one's own ignores the signal", async () => {
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        chunks += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(Buffer.from(' '));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { headers }));
    const asking = fetchEndpoints('http://127.0.0.1:1', { fetch, timeoutMs: 50 });
    await expect(asking).rejects.toMatchObject({ kind: 'timeout' });

    const before = chunks;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(chunks - before).toBeLessThan(4);
  }));

describe('the signal of the caller', () => {
  it('ends the request with its own reason, and the connection is cut', async () => {
    const reason = new Error('shutting down');
    const controller = new AbortController();
    server = await answerWith(() => controller.abort(reason));
    const asking = fetchEndpoints(`http://${server.address}`, { signal: controller.signal });
    await expect(asking).rejects.toBe(reason);
    await server.allConnectionsGone();
  });

  it('ends the reading of the body', async () => {
    const controller = new AbortController();
    server = await answerWith((_req, res) => {
      res.writeHead(200, JSON_TYPE).write('[');
      setTimeout(() => controller.abort(), 20);
    });
    const asking = fetchEndpoints(`http://${server.address}`, { signal: controller.signal });
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    await server.allConnectionsGone();
  });

  it('sends nothing when it has aborted before', async () => {
    const fetch = jest.fn<ReturnType<typeof globalThis.fetch>, []>();
    const reason = new Error('never mind');
    const asking = fetchEndpoints('http://127.0.0.1:1', { fetch, signal: AbortSignal.abort(reason) });
    await expect(asking).rejects.toBe(reason);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('when the promise has settled', () => {
  const outcomes: [string, typeof globalThis.fetch][] = [
    ['well', () => Promise.resolve(Response.json([]))],
    ['with a refusal', () => Promise.resolve(new Response('', { status: 500 }))],
    ['with no answer', () => Promise.reject(new Error('no'))],
  ];

  it.each(outcomes)('%s, no timer and no listener is left', async (_name, fetch) => {
    const { signal } = new AbortController();
    jest.useFakeTimers();
    try {
      await fetchEndpoints('http://127.0.0.1:1', { fetch, signal }).catch(() => undefined);
      expect(jest.getTimerCount()).toBe(0);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('what nobody read of an answer is given up', async () => {
    server = await answerWith((_req, res) => {
      res.writeHead(502, { 'content-type': 'text/html' }).write('<h1>Bad');
    });
    await expect(fetchEndpoints(`http://${server.address}`)).rejects.toMatchObject({ kind: 'refused', code: 502 });
    await server.allConnectionsGone();
  });

  it('a fetch that fails late disturbs nobody', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const fetch: typeof globalThis.fetch = (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            setTimeout(() => reject(new Error('too late')), 10);
          });
        });
      await expect(fetchEndpoints('http://127.0.0.1:1', { fetch, timeoutMs: 5 })).rejects.toMatchObject({
        kind: 'timeout',
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });
});
