import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dialogueOf } from '../../bench/dialogue.js';
import { openLoad } from '../../bench/open-load.js';
import { variant } from '../../bench/variant.js';

const asked = variant('node:http', 'constant');
const { body } = dialogueOf(asked);

const servers: Server[] = [];

async function urlOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const answerWith =
  (text: string): RequestListener =>
  (_req, res) => {
    res.setHeader('Content-Type', 'application/json').end(text);
  };

describe('An open load', () => {
  it('asks as often as it is told, and counts what is answered', async () => {
    let requests = 0;
    const url = await urlOf((req, res) => {
      requests += 1;
      answerWith(body)(req, res);
    });
    const result = await openLoad(url, asked, { connections: 4, rate: 200, seconds: 0.5 });
    expect({ requests, answered: result.requests }).toEqual({ requests: 100, answered: 100 });
    expect(result.requestsPerSecond).toBeLessThan(205);
  });

  it('counts from the moment at which a request was due, also when no connection was free then', async () => {
    const url = await urlOf((req, res) => {
      setTimeout(() => {
        answerWith(body)(req, res);
      }, 50);
    });
    // One after the other takes ten of them 500 ms, and the last was due at 90 ms.
    const { p50, p99 } = await openLoad(url, asked, { connections: 1, rate: 100, seconds: 0.1 });
    expect(p50).toBeGreaterThan(200);
    expect(p99).toBeGreaterThan(350);
  });

  it('does not wait for an answer where another connection is free', async () => {
    const waiting: (() => void)[] = [];
    const url = await urlOf((req, res) => {
      waiting.push(() => {
        answerWith(body)(req, res);
      });
      // Nobody is answered before all have asked.
      if (waiting.length === 10) for (const answer of waiting) answer();
    });
    await expect(openLoad(url, asked, { connections: 10, rate: 100, seconds: 0.1 })).resolves.toMatchObject({
      requests: 10,
    });
  });

  it.each([
    ['another body', answerWith('{}'), 'its body is another one'],
    ['a closed connection', ((_req, res) => res.destroy()) satisfies RequestListener, 'it closed a connection'],
  ])('ends at %s', async (_what, listener, reason) => {
    const url = await urlOf(listener);
    await expect(openLoad(url, asked, { connections: 1, rate: 10, seconds: 1 })).rejects.toThrow(reason);
  });
});
