import { once } from 'node:events';
import { createSrvDirectory, type EndpointDirectory, type SrvDirectoryOptions } from '../../../lib/dns-srv/index.js';
import type { SrvRecord } from './dns-message.js';
import { startDnsServer, type DnsServer, type Reply } from './dns-server.js';
import { useClosing } from '../process/closing.js';
import { until } from '../until.js';

export const NAME = '_arangodb._tcp.example.org';

/** DNS servers and directories of one test file: short intervals, closed after each test. */
export function srvDirectories() {
  const closing = useClosing();
  const serve = async (reply: Reply): Promise<DnsServer> => closing(await startDnsServer(reply));
  const list = async (
    server: Pick<DnsServer, 'address'>,
    options: Partial<SrvDirectoryOptions> = {},
  ): Promise<EndpointDirectory> =>
    closing(
      await createSrvDirectory({
        name: NAME,
        servers: [server.address],
        pollIntervalMs: 20,
        timeoutMs: 30_000,
        connectTimeoutMs: 60_000,
        tries: 1,
        ...options,
      }),
    );
  /** A directory that follows a server which has answered so. */
  const follow = async (
    reply: Reply,
    options: Partial<SrvDirectoryOptions> = {},
  ): Promise<{ server: DnsServer; directory: EndpointDirectory }> => {
    const server = await serve(reply);
    return { server, directory: await list(server, options) };
  };
  return { serve, list, follow, closing };
}

/** A record for each host, on port 8529. */
export function recordsOf(...hosts: readonly string[]): { records: SrvRecord[] } {
  return { records: hosts.map((target) => ({ target, port: 8529 })) };
}

/** Records with targets of a given length: `0001.xxxx.example.org`. */
export function manyRecords(count: number, targetLength: number): { records: SrvRecord[] } {
  return recordsOf(
    ...Array.from({ length: count }, (_, index) => {
      const start = `c${String(index).padStart(4, '0')}`;
      return start.padEnd(targetLength, `.${'x'.repeat(40)}`);
    }),
  );
}

/** Waits for an event for as long as no busy machine needs; gives what its listeners get. */
export async function next(
  directory: EndpointDirectory,
  event: 'live' | 'stale' | 'change' | 'expired' | 'skipped',
): Promise<unknown[]> {
  return (await once(directory, event, { signal: AbortSignal.timeout(60_000) })) as unknown[];
}

/** Waits until the server has been asked this many times more after the request under way. */
export async function polled(server: DnsServer, times: number): Promise<void> {
  const enough = server.requests.udp + times + 1;
  await until(`${String(enough)} requests`, () => server.requests.udp >= enough);
}
