import { loadServerOptions, type ServerOptions } from '../../config/index.js';
import { SCHEMES } from '../../endpoint/endpoint.js';
import { parseEndpoint } from '../../endpoint/parse.js';
import { within } from '../../request/deadline.js';
import { send } from '../../request/send.js';
import { localUrl } from '../output.js';
import { printError, printLine, type Terminal } from '../terminal.js';

/** Shorter than the timeout of a container's health check. */
const LIMIT_MS = 3000;

/**
 * The subcommand `alive`, for a container's health check: asks the server that has the same environment and options, at its
 * `status.socket` or its first `status.endpoint`, whether it still answers. Resolves with the exit code: 0 when it does, 1 otherwise,
 * with the reason on stderr. Never rejects.
 */
export async function runAlive(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const options = loadServerOptions({ args, env: terminal.env, cwd: terminal.cwd() });
    if (options.help) {
      printLine(terminal, HELP);
      return 0;
    }
    await within(LIMIT_MS, undefined, (signal) => ask(options, signal));
    return 0;
  } catch (error) {
    printError(terminal, (error as Error).message);
    return 1;
  }
}

const HELP = [
  'Usage: express-endpoint-listing alive [options]',
  '',
  'Asks a server whether it still answers, at its --status.socket or its first --status.endpoint. Takes the options and the',
  'environment of the server.',
  '',
  'Exit code: 0 if it answers, also while it waits for its registry; 1 if it does not.',
].join('\n');

async function ask({ statusSocket, statusEndpoints }: ServerOptions, signal: AbortSignal): Promise<void> {
  const [given] = statusSocket === undefined ? statusEndpoints : [`unix://${statusSocket}`];
  if (given === undefined) throw new Error('nowhere to ask: give --status.socket or --status.endpoint');
  const endpoint = parseEndpoint(given);
  const { isSocketFile } = SCHEMES[endpoint.scheme];
  const url = isSocketFile ? 'http://localhost' : localUrl(endpoint);
  const socketPath = isSocketFile ? endpoint.path : undefined;
  const response = await send(`${url}/live`, { headers: {}, socketPath }, signal);
  response.resume();
  if (response.statusCode !== 200) throw new Error(`GET /live is answered with ${String(response.statusCode)}`);
}
