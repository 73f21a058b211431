const SHOWN_PROBLEMS = 50;

/** One thing that is wrong with the configuration. */
export interface ConfigProblem {
  /** What is wrong, without the place: `the value is empty`. */
  readonly message: string;
  /** The absolute path of the file; absent for the command line. */
  readonly file?: string;
  /** The number of the line in the file, from 1; absent when the file as a whole is meant. */
  readonly line?: number;
  /** The line, or the argument, as it was written: in quotes, at most 200 characters, without the user and password of an address. */
  readonly text?: string;
}

/**
 * What `loadServerOptions` throws for a bad command line or file: everything that is wrong, at once.
 *
 * The message has a line for each of the first 50 problems: `/etc/endpoints.conf:2: "endpoint =": the value is empty`.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** Every problem: those of the command line first, then those of the files, in the order of their lines. */
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(messageOf(problems));
    this.problems = Object.freeze([...problems]);
  }
}

function messageOf(problems: readonly ConfigProblem[]): string {
  const lines = problems.slice(0, SHOWN_PROBLEMS).map(lineOf);
  if (problems.length > 1) lines.unshift(`${String(problems.length)} problems in the configuration:`);
  if (problems.length > SHOWN_PROBLEMS) lines.push(`and ${String(problems.length - SHOWN_PROBLEMS)} more`);
  return lines.join('\n');
}

function lineOf({ file = 'command line', line, text, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${String(line)}`;
  return [place, ...(text === undefined ? [] : [text]), message].join(': ');
}
