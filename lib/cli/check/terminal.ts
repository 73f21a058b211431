import type { Terminal } from '../terminal.js';

/** A stream that may be a terminal. */
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
