import { VERSION } from './version.js';
import { loadServerOptions } from '../config/index.js';
import { helpText } from './help.js';
import { serveUntilStopped } from './serve.js';
import { complain, say, type Terminal } from './terminal.js';

/**
 * The runnable server: reads what it is to do from `args` and the configuration file, does it until a signal stops it, and
 * resolves with the exit code: 0 after a clean stop, 1 when it could not start, with the reason on stderr. Never rejects.
 */
export async function runServer(args: readonly string[], terminal: Terminal): Promise<number> {
  const load = (): ReturnType<typeof loadServerOptions> =>
    loadServerOptions({ args, env: terminal.env, cwd: terminal.cwd() });
  try {
    const options = load();
    if (options.help) say(terminal, helpText());
    else if (options.version) say(terminal, VERSION);
    else await serveUntilStopped(options, load, terminal);
    return 0;
  } catch (error) {
    complain(terminal, (error as Error).message);
    return 1;
  }
}
