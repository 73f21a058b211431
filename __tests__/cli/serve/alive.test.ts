import { runAlive } from '../../../lib/cli/serve/alive.js';
import { FakeTerminal } from '../../support/process/fake-terminal.js';
import { useListenOn } from '../../support/process/listen-until-done.js';
import { anyPort, runUntilAsked } from '../../support/process/running-server.js';
import { freePort } from '../../support/process/free-port.js';
import { useScratchFolder } from '../../support/process/scratch-folder.js';

const inFolder = useScratchFolder();
const folder = (): string => inFolder('.');
const listenOn = useListenOn();

async function alive(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = new FakeTerminal(folder());
  Object.assign(terminal.env, env);
  return { code: await runAlive(args, terminal), said: [...terminal.lines, ...terminal.complaints].join('\n') };
}

describe('alive', () => {
  it('is exit code 0 while the server answers at its socket file, whatever ports it has, and 1 once it does not', async () => {
    const args = ['--status.socket', 'status.sock'];
    await runUntilAsked(
      [...(await anyPort()), ...args],
      async () => {
        await expect(alive(args)).resolves.toEqual({ code: 0, said: '' });
        await expect(alive([], { ENDPOINT_LISTING_STATUS_SOCKET: 'status.sock' })).resolves.toMatchObject({ code: 0 });
      },
      { folder: folder() },
    );
    await expect(alive(args)).resolves.toEqual({
      code: 1,
      said: expect.stringMatching(/^express-endpoint-listing: connect ENOENT .*status\.sock$/) as string,
    });
  });

  it('asks the first status endpoint where there is no socket file, at a wildcard address through loopback', async () => {
    const port = String(await freePort());
    const args = ['--status.endpoint', `tcp://0.0.0.0:${port}`];
    await runUntilAsked([...(await anyPort()), ...args], async () => {
      await expect(alive(args)).resolves.toEqual({ code: 0, said: '' });
    });
  });

  it('is exit code 1 for another response than 200', async () => {
    const { endpoints } = await listenOn((_req, res) => res.writeHead(404).end(), ['tcp://127.0.0.1:0']);
    await expect(alive(['--status.endpoint', String(endpoints()[0])])).resolves.toEqual({
      code: 1,
      said: 'express-endpoint-listing: GET /live is answered with 404',
    });
  });

  it('is exit code 1 where there is nowhere to ask, and where the options are wrong', async () => {
    await expect(alive([])).resolves.toEqual({
      code: 1,
      said: 'express-endpoint-listing: nowhere to ask: give --status.socket or --status.endpoint',
    });
    await expect(alive(['--sttus.socket', 'x'])).resolves.toMatchObject({
      code: 1,
      said: expect.stringContaining('did you mean --status.socket?') as string,
    });
  });

  it('says with --help what it does', async () => {
    await expect(alive(['--help'])).resolves.toMatchObject({
      code: 0,
      said: expect.stringContaining('Usage: express-endpoint-listing alive [options]') as string,
    });
  });
});
