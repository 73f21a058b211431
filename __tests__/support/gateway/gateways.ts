import { writeFile } from 'node:fs/promises';
import supertest from 'supertest';
import { runServer } from '../../../lib/cli/serve/run-server.js';
import { withPatience } from '../patience.js';
import { useClosing } from '../process/closing.js';
import { FakeTerminal } from '../process/fake-terminal.js';
import { anyPort, runUntilAsked } from '../process/running-server.js';
import { useScratchFolder } from '../process/scratch-folder.js';
import { startCoordinator, type Coordinator } from '../upstream/coordinator.js';

/** The severity is the log's own business: log.test.ts. */
const PREFIX = /^express-endpoint-listing: (?:warn: |error: )?/;
type Env = Readonly<Record<string, string>>;

/** The command as a gateway in front of stand-ins, for one test file: all in this process, closed after each test. It has patience. */
export function gateways() {
  const scratchFile = useScratchFolder();
  const closing = useClosing();
  withPatience();
  const serve = async (...first: Parameters<typeof startCoordinator>): Promise<Coordinator> =>
    closing(await startCoordinator(...first));

  /** Lets the test ask a gateway with these arguments; what the gateway has logged. */
  const run = async (
    args: readonly string[],
    ask: (url: string, terminal: FakeTerminal) => Promise<void>,
    env: Env = {},
  ): Promise<string[]> => {
    const options = { folder: scratchFile('.'), env };
    const { exitCode, terminal } = await runUntilAsked([...(await anyPort()), ...args], ask, options);
    expect(exitCode).toBe(0);
    return terminal.complaints.map((line) => line.replace(PREFIX, ''));
  };

  /** What a gateway that cannot start logs. */
  const refusal = async (args: readonly string[], env: Env = {}): Promise<string[]> => {
    const terminal = new FakeTerminal(scratchFile('.'));
    Object.assign(terminal.env, env);
    expect(await runServer([...(await anyPort()), ...args], terminal)).toBe(1);
    return terminal.complaints.map((line) => line.replace(PREFIX, ''));
  };

  /** Runs a server with this configuration file, which the test changes: `hangUp` gives what is logged of that. */
  const configured = async (
    lines: readonly string[],
    use: (server: {
      url: string;
      terminal: FakeTerminal;
      listed: () => Promise<unknown>;
      hangUp: (...next: string[]) => Promise<string>;
    }) => Promise<void>,
  ): Promise<void> => {
    const write = (text: readonly string[]): Promise<void> => writeFile(scratchFile('a.conf'), text.join('\n'));
    await write(lines);
    const ask = (url: string, terminal: FakeTerminal): Promise<void> => {
      const hangUp = async (...next: string[]): Promise<string> => {
        await write(next);
        terminal.complaints.length = 0;
        terminal.emit('SIGHUP');
        return (await terminal.until(/configuration reloaded|reload failed/)).replace(PREFIX, '');
      };
      return use({ url, terminal, hangUp, listed: () => listed(url.replace('0.0.0.0', '127.0.0.1')) });
    };
    await runUntilAsked(['-c', 'a.conf'], ask, { folder: scratchFile('.') });
  };

  return { serve, run, refusal, configured, scratchFile };
}

/** The endpoints of the cluster listing, or the status of a refusal. */
export async function listed(host: Parameters<typeof supertest>[0]): Promise<unknown> {
  const { body, status } = (await supertest(host).get('/_api/cluster/endpoints')) as {
    status: number;
    body: { endpoints?: { endpoint: string }[] };
  };
  return body.endpoints?.map(({ endpoint }) => endpoint) ?? status;
}
