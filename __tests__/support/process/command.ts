import { execFile } from 'node:child_process';

export interface CommandOptions {
  /** The folder to run in. */
  readonly cwd: string;
  /** Milliseconds until the command is killed; 300,000 unless told otherwise. */
  readonly timeout?: number;
}

/** Runs a program to its end and gives what it printed; one that fails or takes too long fails the test with all that it said. */
export function runCommand(
  program: string,
  args: readonly string[],
  { cwd, timeout = 300_000 }: CommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, timeout, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')}, in ${cwd}:\n${stdout}${stderr}`, { cause: error }));
    });
  });
}
