import { inspect } from 'node:util';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { EtcdError } from '../support/etcd/fake-etcd-answers.js';
import { reply } from '../support/etcd/fake-etcd-gateway.js';
import { etcdScenario } from '../support/etcd/etcd-scenario.js';
import { pause } from '../support/until.js';

const A = 'tcp://10.0.0.1:8529';
const ESC = String.fromCharCode(27);

const scenario = etcdScenario();

async function failure(host: string, options: object = {}): Promise<string> {
  return createEtcdDirectory({ hosts: [host], ...options }).then(
    () => 'opened',
    (error: unknown) => String(error),
  );
}

describe("etcd's own words in a message", () => {
  it('are one line without control characters: no forged line in a log, no colour in a terminal', async () => {
    const gateway = await scenario.gateway();
    gateway.instead(new EtcdError(7, `denied\n2026-01-01 forged\r${ESC}[31m\u0085\u202e`, 403));
    expect(await failure(gateway.url)).toBe(
      `GatewayError: etcd ${gateway.url}: denied\\u000a2026-01-01 forged\\u000d\\u001b[31m\\u0085\\u202e`,
    );
  });

  it('are no longer than 500 characters', async () => {
    const gateway = await scenario.gateway();
    gateway.instead(new EtcdError(7, 'x'.repeat(10_000), 403));
    expect(await failure(gateway.url)).toBe(`GatewayError: etcd ${gateway.url}: ${'x'.repeat(500)}...`);
  });

  it('never show a part of a password, not even where they are cut', async () => {
    const password = 'the-long-password-of-a-lister';
    for (let padding = 165; padding < 205; padding += 1) {
      const gateway = await scenario.gateway();
      gateway.instead([405, 'x'.repeat(padding) + password]);
      const told = await failure(gateway.url, { auth: { username: 'lister', password } });
      expect(told).not.toContain('the-');
    }
  });
});

describe('a token that is empty', () =>
  it('is none: the request fails, and its message is not garbled', async () => {
    const gateway = await scenario.gateway();
    gateway.override = ({ path, res }) => {
      if (path === '/v3/auth/authenticate') reply(res, 200, { header: {}, token: '' });
      return true;
    };
    const auth = { username: 'lister', password: 'hunter2' };
    expect(await failure(gateway.url, { auth, connectTimeoutMs: 3000 })).toBe(
      `GatewayError: etcd ${gateway.url}: unexpected response from etcd: field "token"`,
    );
  }));

describe('a lease that etcd grants', () => {
  it('without a time is none: registering fails, instead of renewing without a pause', async () => {
    const { gateway, directory } = await scenario.follow([], { connectTimeoutMs: 3000 });
    gateway.instead([200, { header: { revision: '1' }, ID: '7' }], '/v3/lease/grant');
    await expect(directory.register(A)).rejects.toThrow(
      `etcd ${gateway.url}: unexpected response from etcd: field "TTL"`,
    );
    expect(gateway.count('/v3/lease/keepalive')).toBe(0);
  });

  it('for longer than a timer of Node can wait is not renewed without a pause, nor lost', async () => {
    const { gateway, directory } = await scenario.follow();
    gateway.override = ({ path, res }) => {
      if (path !== '/v3/lease/grant') return false;
      gateway.store.leases.set('7', 9_000_000_000);
      reply(res, 200, { header: { revision: '1' }, ID: '7', TTL: '9000000000' });
      return true;
    };
    const registration = await directory.register(A);
    await pause(100);
    expect(inspect([registration.state, gateway.count('/v3/lease/keepalive')])).toBe("[ 'registered', 0 ]");
    expect(registration.ttlSeconds).toBe(9_000_000_000);
  });
});
