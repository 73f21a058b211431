import { getEventListeners } from 'node:events';
import type { SrvDirectoryOptions } from '../../lib/dns-srv/index.js';
import type { DnsServer, Reply } from '../support/dns/dns-server.js';
import { recordsOf, srvDirectories } from '../support/dns/srv-directories.js';
import { until } from '../support/until.js';

const { serve, list, follow } = srvDirectories();

async function refusal(server: DnsServer, options: Partial<SrvDirectoryOptions>): Promise<Error & { cause?: unknown }> {
  const outcome: unknown = await list(server, options).catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome;
  throw new Error('the directory was opened');
}

describe('the start', () => {
  it.each<[string, Reply, string, number]>([
    ['answers SERVFAIL', { rcode: 'SERVFAIL' }, 'ESERVFAIL', 60_000],
    ['says nothing', 'silence', 'ETIMEOUT', 250],
  ])(
    'fails with the cause as soon as the request has failed: a server that %s',
    async (_how, reply, code, timeoutMs) => {
      const server = await serve(reply);
      const error = await refusal(server, { connectTimeoutMs: 600_000, timeoutMs });
      expect(error.message).toBe(
        `no list from the SRV records of _arangodb._tcp.example.org: querySrv ${code} _arangodb._tcp.example.org (asked: ${server.address})`,
      );
      expect(error.cause).toMatchObject({ code, syscall: 'querySrv', hostname: '_arangodb._tcp.example.org' });
    },
  );

  it.each<[string, [Reply, ...Reply[]]]>([
    ['the first request', ['silence']],
    ['the second request after an empty answer', [{ rcode: 'NXDOMAIN' }, 'silence']],
  ])('fails after connectTimeoutMs when there is no answer to %s', async (_which, replies) => {
    const server = await serve('silence');
    server.reply(...replies);
    const error = await refusal(server, { connectTimeoutMs: 300, timeoutMs: 60_000, tries: 10 });
    expect(error.message).toBe(
      'no list from the SRV records of _arangodb._tcp.example.org: no answer within connectTimeoutMs, 300 ms',
    );
    expect(error.cause).toMatchObject({ message: 'no answer within connectTimeoutMs, 300 ms' });
  });

  it('ends with the reason of the signal when that aborts, and leaves nothing behind', async () => {
    const server = await serve('silence');
    const controller = new AbortController();
    const reason = new Error('shutting down');
    const opening = list(server, { signal: controller.signal, connectTimeoutMs: 600_000, timeoutMs: 60_000 });
    await until('the request is sent', () => server.requests.udp === 1);
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('sends nothing when the signal has aborted before', async () => {
    const server = await serve('silence');
    const reason = new Error('shutting down');
    await expect(list(server, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests.udp).toBe(0);
  });

  it('is over for the signal once the directory is open', async () => {
    const controller = new AbortController();
    const { directory } = await follow(recordsOf('a.example'), { signal: controller.signal });
    controller.abort();
    expect(directory.status().state).toBe('live');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('leaves nothing behind when it fails', async () => {
    const server = await serve({ rcode: 'SERVFAIL' });
    await refusal(server, { pollIntervalMs: 1 });
    const { udp } = server.requests;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests.udp).toBe(udp);
  });
});
