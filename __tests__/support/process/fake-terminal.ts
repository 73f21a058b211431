import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import type { Terminal } from '../../../lib/cli/terminal.js';

/** A stand-in for the process that the runnable server runs in: its signals are emitted by the test, its lines kept. */
export class FakeTerminal extends EventEmitter implements Terminal {
  /** As under systemd: no line of the log begins with a time. */
  readonly env: Record<string, string> = { JOURNAL_STREAM: '8:1' };
  readonly lines: string[] = [];
  readonly complaints: string[] = [];
  readonly stdout = {
    write: (text: string) => this.keep(this.lines, text),
  };
  readonly stderr = {
    write: (text: string) => this.keep(this.complaints, text),
  };

  constructor(private readonly folder = tmpdir()) {
    super();
  }

  cwd(): string {
    return this.folder;
  }

  /** Waits until a line on either stream fits. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = [...this.lines, ...this.complaints].find((text) => pattern.test(text));
      if (line !== undefined) return line;
      await new Promise((resolve) => this.once('line', resolve));
    }
  }

  private keep(where: string[], text: string): void {
    where.push(...text.trimEnd().split('\n'));
    this.emit('line');
  }
}
