import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { CheckTerminal } from '../../../lib/cli/terminal.js';
import { FakeTerminal } from '../process/fake-terminal.js';

/** A stream that keeps what is written to it. */
export class Screen extends EventEmitter {
  text = '';
  isTTY?: true;
  columns?: number;
  rows?: number;
  onWrite: () => void = () => undefined;

  write(text: string): void {
    this.text += text;
    this.onWrite();
  }
}

/** A stand-in for the process that `check` runs in; its streams are pipes unless the test makes them a terminal. */
export class FakeCheckTerminal extends FakeTerminal implements CheckTerminal {
  override readonly stdout = new Screen();
  override readonly stderr = new Screen();
  readonly stdin: PassThrough & { isTTY?: true } = new PassThrough();

  /** A terminal of so many columns and rows. */
  static ofSize(columns: number, rows = 50): FakeCheckTerminal {
    const terminal = new FakeCheckTerminal();
    Object.assign(terminal.stdout, { isTTY: true, columns, rows });
    Object.assign(terminal.stderr, { isTTY: true, columns, rows });
    Object.assign(terminal.stdin, { isTTY: true });
    return terminal;
  }
}
