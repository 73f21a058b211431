import { openSockets } from '../support/process/open-sockets.js';
import { pause, until } from '../support/until.js';
import { polled, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';

describe('close()', () => {
  it('ends the polls; the provider throws 503 with errorNum 1478', async () => {
    const server = await serve([A]);
    const directory = await list([server], { pollIntervalMs: 1 });
    const closed = directory.close();
    expect(directory.close()).toBe(closed);
    await closed;
    const { length } = server.requests;
    await pause(30);
    expect(server.requests).toHaveLength(length);
    expect(directory.status().state).toBe('closed');
    expect(directory.provider).toThrow(expect.objectContaining({ status: 503, errorNum: 1478 }) as Error);
  });

  it.each<['says nothing' | 'sends a body that does not end']>([['says nothing'], ['sends a body that does not end']])(
    'ends the request that is under way: the server %s',
    async (what) => {
      const before = openSockets();
      const server = await serve([A]);
      const directory = await list([server], { timeoutMs: 600_000 });
      server.reply(
        what === 'says nothing'
          ? 'silence'
          : (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).write('{"endpoints":['),
      );
      await polled(server, 0);
      const events = jest.fn();
      for (const event of ['change', 'stale', 'live', 'skipped'] as const) directory.on(event, events);
      await directory.close();
      await until('the connection is closed', () => server.connections() === 0);
      await server.close();
      await until('no socket is left', () => openSockets() <= before);
      expect(events).not.toHaveBeenCalled();
    },
  );
});
