import type { ServerOptions } from '../config/index.js';
import { listenOn, type Listening } from '../listen/index.js';
import { announcement } from './announce.js';
import { createApplication } from './application.js';
import { openCoordinators } from './coordinators.js';
import { createReload } from './reload.js';
import { untilStopped } from './signals.js';
import { complain, say, type Terminal } from './terminal.js';

/** Serves until a signal stops it: opens the list, listens, joins; then leaves the list first, and closes. */
export async function serveUntilStopped(
  options: ServerOptions,
  load: () => ServerOptions,
  terminal: Terminal,
): Promise<void> {
  const log = (line: string): void => {
    complain(terminal, line);
  };
  // A request may come before listenOn has returned.
  let start!: (listening: Listening) => void;
  const started = new Promise<Listening>((resolve) => {
    start = resolve;
  });
  const bound = async (): Promise<readonly string[]> => (await started).endpoints();

  const coordinators = await openCoordinators(options, bound, log);
  let listening: Listening | undefined;
  try {
    const app = createApplication(options.role, coordinators, bound, log);
    listening = await listenOn(app, options.endpoints, options.ssl === undefined ? {} : { ssl: options.ssl });
    start(listening);
    await coordinators.join?.();
    say(terminal, announcement(options.role, listening.endpoints()));
    await untilStopped(terminal, createReload(options, load, coordinators, log));
  } finally {
    await coordinators.close();
    await listening?.close();
  }
  say(terminal, 'stopped');
}
