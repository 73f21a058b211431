import { getEventListeners } from 'node:events';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { EtcdError } from '../support/etcd/fake-etcd-answers.js';
import { reply } from '../support/etcd/fake-etcd-gateway.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { freePort } from '../support/process/free-port.js';
import { pause, until } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const B = 'tcp://10.0.0.2:8529';

const scenario = etcdScenario();

/** A host on which nobody listens. */
const deadHost = async (): Promise<string> => `http://127.0.0.1:${String(await freePort())}`;

/** What opening fails with; long limits, so that a failure that comes is one that came at once. */
async function failure(hosts: readonly string[], options: object = {}): Promise<string> {
  const opening = createEtcdDirectory({ hosts, connectTimeoutMs: 600_000, requestTimeoutMs: 600_000, ...options });
  return opening.then(
    () => 'opened',
    (error: unknown) => String(error),
  );
}

describe('opening a directory', () => {
  it('takes the first host that answers', async () => {
    const dead = await deadHost();
    const gateway = await scenario.gateway();
    gateway.put(A);
    const directory = await scenario.open([dead, gateway.url], { retry: { minMs: 600_000, maxMs: 600_000 } });
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status().lastError).toBe(`etcd ${dead}: connect ECONNREFUSED ${dead.slice('http://'.length)}`);
  });

  it('waits for an etcd that starts at the same time', async () => {
    const gateway = await scenario.gateway();
    const { port } = gateway;
    await gateway.kill();
    const opening = scenario.open([`http://127.0.0.1:${String(port)}`]);
    await gateway.listen('127.0.0.1', port);
    expect((await opening).status().state).toBe('live');
  });

  it('fails, naming the cause at each host, when none has answered within connectTimeoutMs', async () => {
    const hosts = [await deadHost(), await deadHost()];
    const started = performance.now();
    expect(await failure(hosts, { connectTimeoutMs: 3000 })).toBe(
      `GatewayError: ${hosts.map((host) => `etcd ${host}: connect ECONNREFUSED ${host.slice('http://'.length)}`).join('; ')}`,
    );
    expect(performance.now() - started).toBeGreaterThanOrEqual(2999);
  });

  it('fails after connectTimeoutMs when the only host takes the connection and never answers', async () => {
    const gateway = await scenario.gateway();
    gateway.override = () => true;
    expect(await failure([gateway.url], { connectTimeoutMs: 200 })).toBe(
      `GatewayError: etcd ${gateway.url}: no answer within 200 ms`,
    );
    expect(await failure([gateway.url], { connectTimeoutMs: 400, requestTimeoutMs: 100 })).toBe(
      `GatewayError: etcd ${gateway.url}: no answer within 100 ms`,
    );
    await until('every connection was ended', () => gateway.asked.every(({ res }) => res.destroyed));
  });

  it.each<[string, EtcdError]>([
    ['no permission', new EtcdError(7, 'etcdserver: permission denied', 403)],
    ['no user given', new EtcdError(3, 'etcdserver: user name is empty', 400)],
    ['not possible', new EtcdError(12, 'unknown service etcdserverpb.KV', 501)],
  ])('fails at once when etcd refuses: %s', async (_, refusal) => {
    for (const shape of ['v1', 'v2'] as const) {
      const gateway = await scenario.gateway(shape);
      gateway.instead(refusal);
      expect(await failure([gateway.url])).toBe(`GatewayError: etcd ${gateway.url}: ${refusal.message}`);
      expect(gateway.asked).toHaveLength(1);
    }
  });

  it.each<[string, number, string, string]>([
    [
      'the gateway is switched off',
      404,
      'Not Found',
      'no JSON gateway (404): needs etcd 3.4 or newer, started with --enable-grpc-gateway where that is not the default (3.4 with a configuration file)',
    ],
    [
      'the host wants TLS',
      400,
      'Client sent an HTTP request to an HTTPS server.\n',
      'response is not from etcd: 400 "Client sent an HTTP request to an HTTPS server.\\n"',
    ],
    ['a proxy wants a login', 407, 'x'.repeat(300), `response is not from etcd: 407 "${'x'.repeat(200)}"`],
    ['it is another server', 405, '{"oops":true}', 'response is not from etcd: 405 "{\\"oops\\":true}"'],
  ])('fails at once when what answers is no etcd: %s', async (_, status, body, message) => {
    const gateway = await scenario.gateway();
    gateway.instead([status, body]);
    expect(await failure([gateway.url])).toBe(`GatewayError: etcd ${gateway.url}: ${message}`);
  });

  it.each<[string, number, string]>([
    ['whose JSON gateway is off', 404, 'Not Found'],
    ['that is another server', 405, '<html>'],
    [
      'of another cluster, which grants no permission',
      403,
      '{"error":"etcdserver: permission denied","message":"etcdserver: permission denied","code":7}',
    ],
  ])('takes the next host at once when the first one is one %s', async (_what, status, body) => {
    const [wrong, right] = [await scenario.gateway(), await scenario.gateway()];
    wrong.instead([status, body]);
    right.put(A);
    const options = { retry: { minMs: 600_000, maxMs: 600_000 }, connectTimeoutMs: 600_000 };
    const directory = await scenario.open([wrong.url, right.url], options);
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status()).toMatchObject({ state: 'live', relists: 1 });
    expect(wrong.asked).toHaveLength(1);
    await directory.register(B);
    expect(right.endpoints).toStrictEqual([A, B]);
  });

  it('waits for a host that is down, though the others refuse for good; the failure names all', async () => {
    const off = await scenario.gateway();
    off.instead([405, 'What?']);
    const dead = await deadHost();
    expect(await failure([off.url, dead], { connectTimeoutMs: 3000 })).toBe(
      `GatewayError: etcd ${off.url}: response is not from etcd: 405 "What?"; ` +
        `etcd ${dead}: connect ECONNREFUSED ${dead.slice('http://'.length)}`,
    );
  });

  it('is given up with its signal, before or in the middle, and leaves nothing behind', async () => {
    const gateway = await scenario.gateway();
    const tooLate = AbortSignal.abort(new Error('too late'));
    await expect(scenario.open([gateway.url], { signal: tooLate })).rejects.toThrow('too late');
    expect(gateway.asked).toHaveLength(0);
    const controller = new AbortController();
    gateway.override = () => {
      controller.abort(new Error('changed my mind'));
      return true;
    };
    await expect(scenario.open([gateway.url], { signal: controller.signal })).rejects.toThrow('changed my mind');
    await until('the request was ended', () => gateway.asked.every(({ res }) => res.destroyed));
    gateway.override = () => false;
    const later = new AbortController();
    const directory = await scenario.open([gateway.url], { signal: later.signal });
    later.abort();
    expect(directory.status().state).toBe('live');
    expect(getEventListeners(later.signal, 'abort')).toHaveLength(0);
  });

  it.each<[string, number, string]>([
    ['no leader', 503, '{"error":"etcdserver: no leader","message":"etcdserver: no leader","code":14}'],
    ['too many requests', 429, '{"error":"x","message":"etcdserver: too many requests","code":8}'],
    ['a proxy without a target', 502, '<html>Bad Gateway</html>'],
    ['a proxy that has waited', 408, ''],
    ['a body that is cut', 200, '{"header":{"revision":"1"'],
    ['a body that is no object', 200, '[]x'],
    ['null', 200, 'null'],
    ['an answer without a header', 200, '{"kvs":[]}'],
    ['a header that is none', 200, '{"header":7}'],
    ['a revision that is none', 200, '{"header":{"revision":"-1"}}'],
    ['keys that are no list', 200, '{"header":{"revision":"1"},"kvs":{}}'],
    ['a key that is none', 200, '{"header":{"revision":"1"},"kvs":[null]}'],
    ['an error that is none', 200, '{"error":7}'],
    ['too much', 200, `{"header":{"revision":"1"},"padding":"${'x'.repeat(17_000_000)}"}`],
  ])('tries again after %s', async (_, status, body) => {
    const gateway = await scenario.gateway();
    gateway.put(A);
    gateway.override = ({ res }) => {
      if (gateway.asked.length > 2) return false;
      reply(res, status, body);
      return true;
    };
    const directory = await scenario.open([gateway.url]);
    expect(directory.provider()).toStrictEqual([A]);
    expect(directory.status().lastError).toMatch(/^etcd http:\/\/127\.0\.0\.1:\d+: \S/);
  });

  it('leaves nothing behind when it fails: no connection, no timer, no attempt', async () => {
    const gateway = await scenario.gateway();
    gateway.instead([503, 'later']);
    await failure([gateway.url], { connectTimeoutMs: 100, retry: { minMs: 1, maxMs: 5 } });
    // The last request may still be on its way.
    await pause(100);
    const attempts = gateway.asked.length;
    await pause(100);
    expect(gateway.asked).toHaveLength(attempts);
  });
});
