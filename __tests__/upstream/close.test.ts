import { openSockets } from '../support/process/open-sockets.js';
import { until } from '../support/until.js';
import { polled, upstreamDirectories } from '../support/upstream/upstream-directories.js';

const { serve, list } = upstreamDirectories();
const A = 'tcp://10.0.0.11:8529';

describe('close()', () =>
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
  ));
