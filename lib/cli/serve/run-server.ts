import { loadServerOptions, type ServerOptions } from '../../config/index.js';
import { createLog } from '../log.js';
import { helpText, VERSION } from '../output.js';
import { serveUntilStopped } from './serve.js';
import { printError, printLine, takeSignals, type Terminal } from '../terminal.js';

/**
 * The server: reads what it is to do from `args` and the configuration file, does it until a signal stops it, and resolves
 * with the exit code: 0 after a clean stop, 1 when it could not start, with the reason on stderr. Never rejects.
 */
export async function runServer(
  args: readonly string[],
  terminal: Terminal,
  signals = takeSignals(terminal),
): Promise<number> {
  const load = (): ServerOptions => loadServerOptions({ args, env: terminal.env, cwd: terminal.cwd() });
  let options: ServerOptions | undefined;
  try {
    options = load();
    if (options.help) printLine(terminal, helpText());
    else if (options.version) printLine(terminal, VERSION);
    else await serveUntilStopped(options, load, terminal, signals);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    const loaded = options;
    // A configuration that cannot be read does not say how to log; people want to see its problems line by line.
    if (loaded === undefined) printError(terminal, message);
    else createLog(terminal, () => loaded)('error', 'start-failed', message);
    return 1;
  } finally {
    signals.release();
  }
}
