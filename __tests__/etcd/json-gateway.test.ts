import { getEventListeners, once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type RequestListener } from 'node:http';
import net from 'node:net';
import { Gateway, MAX_ANSWER_BYTES, textOf } from '../../lib/etcd/json-gateway.js';
import { readEtcdOptions } from '../../lib/etcd/options.js';
import { send } from '../../lib/request/send.js';
import { useResolvedName } from '../support/dns/resolved-name.js';
import { listenCuttable } from '../support/process/cuttable.js';
import { freePort } from '../support/process/free-port.js';
import { until } from '../support/until.js';

const resolve = useResolvedName();
const never = new AbortController().signal;
const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** An etcd that answers as the test says, the requests that it got and the connections that it has. */
async function etcd(
  answer: RequestListener,
): Promise<{ host: string; asked: string[]; connections: ReadonlySet<net.Socket> }> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${String(req.method)} ${String(req.url)} ${String(req.headers['content-type'])}`);
    answer(req, res);
  });
  // Who closes a kept connection is the gateway, not the time.
  server.keepAliveTimeout = 0;
  const { port, sockets, close } = await listenCuttable(server);
  open.push({ close });
  return { host: `http://127.0.0.1:${String(port)}`, asked, connections: sockets };
}

function gatewayTo(...hosts: string[]): Gateway {
  const gateway = new Gateway(readEtcdOptions({ hosts }));
  open.push(gateway);
  return gateway;
}

const saying =
  (status: number, body: object): RequestListener =>
  (req, res) => {
    req.resume().on('end', () => res.writeHead(status).end(JSON.stringify(body)));
  };
const fine = saying(200, { ok: true });
const read = (answer: object): object => answer;

describe('a request to etcd', () => {
  it('is a POST of JSON, over one connection for all of them, until the directory is closed', async () => {
    const { host, asked, connections } = await etcd(fine);
    const gateway = gatewayTo(host);
    for (let count = 0; count < 3; count += 1) await gateway.ask(host, { path: '/v3/x', body: {} }, read, never);
    expect(asked).toEqual(Array(3).fill('POST /v3/x application/json'));
    expect(connections.size).toBe(1);
    const [socket] = connections;
    gateway.close();
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(connections.size).toBe(0);
  });

  it('goes to the host that has answered last, first', async () => {
    const away = await etcd(saying(503, { code: 14, message: 'unavailable' }));
    const there = await etcd(fine);
    const gateway = gatewayTo(away.host, there.host);
    for (let count = 0; count < 3; count += 1) await gateway.askAny({ path: '/v3/x', body: {} }, read, never);
    expect([away.asked.length, there.asked.length]).toEqual([1, 3]);
  });

  it.each<[string, number, object, number]>([
    ['that etcd itself refuses is asked of no other host', 403, { code: 7, message: 'permission denied' }, 0],
    ['that etcd cannot answer now is asked of the next host', 503, { code: 14, message: 'unavailable' }, 1],
    ['that something else refuses is asked of the next host', 404, {}, 1],
  ])('%s', async (_what, status, body, others) => {
    const first = await etcd(saying(status, body));
    const second = await etcd(fine);
    await gatewayTo(first.host, second.host)
      .askAny({ path: '/v3/x', body: {} }, read, never)
      .catch(() => undefined);
    expect(second.asked).toHaveLength(others);
  });

  it('that is given up is asked of no other host', async () => {
    const giveUp = new AbortController();
    const first = await etcd(() => giveUp.abort(new Error('given up')));
    const second = await etcd(fine);
    const asking = gatewayTo(first.host, second.host).askAny({ path: '/v3/x', body: {} }, read, giveUp.signal);
    await expect(asking).rejects.toThrow('given up');
    expect(second.asked).toHaveLength(0);
  });
});

describe('a host that gives no answer', () =>
  it('at any address of its name says why of each', async () => {
    const port = String(await freePort());
    resolve('etcd.example', ['127.0.0.1', '127.0.0.2']);
    const host = `http://etcd.example:${port}`;
    await expect(gatewayTo(host).ask(host, { path: '/v3/x', body: {} }, read, never)).rejects.toThrow(
      `etcd ${host}: connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`,
    );
  }));

describe('a POST', () => {
  const post = (url: string, signal = never, agent = new Agent()): Promise<IncomingMessage> =>
    send(url, { headers: {}, agent, body: '{}' }, signal);

  it('leaves no listener at its signal once its connection is closed', async () => {
    const { host } = await etcd(fine);
    const { signal } = new AbortController();
    const response = await post(host, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await textOf(response);
    await until('no listener is left', () => getEventListeners(signal, 'abort').length === 0);
  });

  it('is sent once where a new connection is cut', async () => {
    const { host, asked } = await etcd((req) => req.socket.resetAndDestroy());
    await expect(post(host)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toHaveLength(1);
  });

  it('is sent once where a kept connection brings something that is not HTTP', async () => {
    let requests = 0;
    const server = net.createServer((socket) => {
      socket.on('data', () => {
        requests += 1;
        socket.write(requests === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' : 'what?\r\n\r\n');
      });
    });
    const { port, close } = await listenCuttable(server);
    open.push({ close });
    const agent = new Agent({ keepAlive: true });
    const url = `http://127.0.0.1:${String(port)}`;
    await textOf(await post(url, never, agent));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(post(url, never, agent)).rejects.toThrow('Parse Error');
    expect(requests).toBe(2);
    agent.destroy();
  });
});

describe('the body of an answer', () => {
  const bodyOf = (bytes: number): IncomingMessage =>
    ({
      async *[Symbol.asyncIterator]() {
        await Promise.resolve();
        yield Buffer.alloc(bytes - 1, ' ');
        yield Buffer.alloc(1, ' ');
      },
    }) as unknown as IncomingMessage;

  it('may be 16 MiB, and not a byte more', async () => {
    expect(MAX_ANSWER_BYTES).toBe(16_777_216);
    expect(await textOf(bodyOf(16_777_216))).toHaveLength(16_777_216);
    await expect(textOf(bodyOf(16_777_217))).rejects.toThrow('response larger than 16777216 bytes');
  });
});
