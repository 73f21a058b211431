/** What the runnable server needs of the process that it runs in: `process` itself, or a stand-in of a test. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export function say(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`);
}

export function complain(terminal: Terminal, line: string): void {
  terminal.stderr.write(`express-endpoint-listing: ${line}\n`);
}
