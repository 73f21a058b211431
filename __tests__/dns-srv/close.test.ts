import { Resolver } from 'node:dns/promises';
import { askForRecords } from '../../lib/dns-srv/srv-directory.js';
import { readSrvOptions } from '../../lib/dns-srv/options.js';
import { openSockets } from '../support/process/open-sockets.js';
import { polled, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';
import { timersOf } from '../support/timers-of.js';
import { pause, until } from '../support/until.js';

const { serve, list, follow } = srvDirectories();

afterEach(() => {
  jest.restoreAllMocks();
});

describe('close()', () => {
  it('that comes just before a request sends none: there is nothing to wait for', async () => {
    const server = await serve('silence');
    const settings = readSrvOptions({
      name: 'db.example',
      servers: [server.address],
      timeoutMs: 60_000,
    });
    const closed = AbortSignal.abort(new Error('closed'));
    await expect(askForRecords(settings, closed)).rejects.toThrow('closed');
    expect(server.requests.udp).toBe(0);
  });

  it('ends the polls: the state is closed and the provider throws 503 with errorNum 1478', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    await polled(server, 1);
    await directory.close();
    const { udp } = server.requests;
    expect(directory.status().state).toBe('closed');
    expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
    await pause(60);
    expect(server.requests.udp).toBe(udp);
  });

  it('gives the same promise when called again', async () => {
    const { directory } = await follow(recordsOf('a.example'));
    const closed = directory.close();
    expect(directory.close()).toBe(closed);
    await closed;
    expect(directory.close()).toBe(closed);
  });

  it('cancels the request under way, and none of those before it', async () => {
    const { server, directory } = await follow(recordsOf('a.example'), { timeoutMs: 60_000 });
    await polled(server, 4);
    server.reply('silence');
    const { udp } = server.requests;
    await until('a request is under way', () => server.requests.udp > udp);
    const cancel = jest.spyOn(Resolver.prototype, 'cancel');
    await directory.close();
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('may be called by a listener', async () => {
    const { server, directory } = await follow(recordsOf('a.example'));
    const closed = new Promise<void>((resolve) => {
      directory.once('change', () => resolve(directory.close()));
    });
    server.reply(recordsOf('b.example'));
    await closed;
    expect(directory.status().state).toBe('closed');
  });

  it.each([
    // [what it does, the reply that makes it do so, timers of ours and sockets meanwhile]
    ['waits', recordsOf('a.example'), 1, 0],
    ['asks', 'silence', 0, 1],
    ['reads over TCP', 'half an answer', 0, 1],
    ['waits in an outage', { rcode: 'SERVFAIL' }, 2, 0],
  ] as const)(
    'leaves no timer, no socket and no unhandled rejection when it %s',
    async (_what, reply, timers, sockets) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      const own = timersOf('directory');
      const server = await serve(recordsOf('a.example'));
      const socketsBefore = openSockets();

      const directory = await list(server, { pollIntervalMs: 200, timeoutMs: 60_000, maxStaleMs: 600_000 });
      server.reply(reply);
      await polled(server, 0);
      await until('it does so', () => own.pending() === timers && openSockets() - socketsBefore >= sockets);
      await directory.close();

      await until('its sockets are closed', () => openSockets() <= socketsBefore);
      // A cleared timer is reported in a later turn of the event loop; a busy machine runs two timers in one.
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      expect(own.pending()).toBe(0);
      own.stop();
      process.off('unhandledRejection', note);
      expect(unhandled).toStrictEqual([]);
    },
  );
});
