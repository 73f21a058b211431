import { printable } from '../text/shown.js';

/** What the command needs of the process that it runs in: `process` itself, or a stand-in of a test. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Prints the result of the command. */
export function printLine(terminal: Pick<Terminal, 'stdout'>, text: string): void {
  terminal.stdout.write(`${text}\n`);
}

/** Prints why the command has failed; nothing in it moves the cursor but its line breaks. */
export function printError(terminal: Pick<Terminal, 'stderr'>, text: string): void {
  terminal.stderr.write(`express-endpoint-listing: ${text.split('\n').map(printable).join('\n')}\n`);
}

/** The signals of a process, once a server has taken them over. */
export interface Signals {
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Resolves at the same time. */
  readonly stopped: Promise<void>;
  /** Calls `reload` for every SIGHUP from now on, and once for those that came before. */
  onReload(reload: () => void): void;
  /** Restores Node's default behaviour. */
  release(): void;
}

/** npm passes Ctrl-C on to its child, which gets it from the terminal, too. */
const SAME_CTRL_C_MS = 1000;

/**
 * Handles the signals, so that none of them ends the process directly. During the stop SIGHUP and SIGTERM have no effect;
 * only another Ctrl-C, a second or more after the first signal, ends the process at once.
 */
export function takeSignals(terminal: Terminal): Signals {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  let reload: (() => void) | undefined;
  let reloadIsDue = false;
  let impatience: NodeJS.Timeout | undefined;

  const stop = (): void => {
    if (stopping.signal.aborted) return;
    impatience = setTimeout(() => terminal.off('SIGINT', stop), SAME_CTRL_C_MS).unref();
    stopping.abort(new Error('stopped by a signal'));
  };
  const hangUp = (): void => {
    if (stopping.signal.aborted) return;
    if (reload === undefined) reloadIsDue = true;
    else reload();
  };
  terminal.on('SIGINT', stop);
  terminal.on('SIGTERM', stop);
  terminal.on('SIGHUP', hangUp);

  return {
    stop: stopping.signal,
    stopped,
    onReload(callback) {
      reload = callback;
      if (reloadIsDue) callback();
    },
    release() {
      clearTimeout(impatience);
      terminal.off('SIGINT', stop);
      terminal.off('SIGTERM', stop);
      terminal.off('SIGHUP', hangUp);
    },
  };
}

interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** A stream that says so when its reader has gone. */
interface Output extends Screen {
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

/** What `check` needs of the process that it runs in: `process` itself, or a stand-in of a test. */
export interface CheckTerminal extends Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Screen;
}
