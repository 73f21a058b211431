import type { Terminal } from '../terminal.js';

/** A stream that may be a terminal. */
interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** What `check` needs of the process that it runs in: `process` itself, or a stand-in of a test. */
export interface CheckTerminal extends Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
}
