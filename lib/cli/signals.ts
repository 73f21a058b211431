import type { Terminal } from './terminal.js';

/** Resolves at SIGINT or SIGTERM; until then every SIGHUP calls `reload`. A second Ctrl-C ends the process at once. */
export function untilStopped(terminal: Terminal, reload: () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      terminal.off('SIGINT', stop);
      terminal.off('SIGTERM', stop);
      terminal.off('SIGHUP', reload);
      resolve();
    };
    terminal.on('SIGINT', stop);
    terminal.on('SIGTERM', stop);
    terminal.on('SIGHUP', reload);
  });
}
