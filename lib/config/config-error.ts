import { printable, withoutCredentials } from '../text/shown.js';

const SHOWN_PROBLEMS = 50;
const SHOWN_CHARACTERS = 200;
/** `name = `, `--name=`, `--name ` or `@include `: what may precede a value. */
const NAME = /^\s*(?:@include(?!\S)|[-\w.]+[ \t]*[= \t])\s*/;
/** Only a scheme and `@NAME@`, as in a host or a port, before the last `@`: no password. */
const REFERENCES = /^(?:(?:http@)?[a-z][a-z\d+.-]*:\/\/)?(?:[:.]?@[a-z_]\w*@)+[^@?#]*$/i;

/** One problem of the configuration. */
export interface ConfigProblem {
  /** What is wrong, without the place: `the value is empty`. */
  readonly message: string;
  /** The absolute path of the file; absent for the command line and the environment. */
  readonly file?: string;
  /** The variable of the environment: `ENDPOINT_LISTING_SERVER_ENDPOINT`. */
  readonly variable?: string;
  /** The number of the line in the file, from 1; absent for the file as a whole. */
  readonly line?: number;
  /**
   * The line, or the argument, as written: in quotes, at most 200 characters, without the user, password and query of an address. Of an
   * unrecognised option only the name, since its value may be a secret; of an invalid line only known names and marks of the format, or
   * `...`.
   */
  readonly text?: string;
}

/**
 * Thrown by `loadServerOptions` for an invalid command line, environment or file, with all problems at once.
 *
 * The message has a line for each of the first 50 problems: `/etc/endpoints.conf:2: "endpoint =": the value is empty`.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** Every problem: those of the command line first, then those of the environment and of the files, in the order of their lines. */
  readonly problems: readonly ConfigProblem[];

  /** @param hint - Help for all problems, once, at the end of the message. */
  constructor(problems: readonly ConfigProblem[], hint?: string) {
    super(messageOfAll(problems, hint));
    this.problems = Object.freeze([...problems]);
  }
}

function messageOfAll(problems: readonly ConfigProblem[], hint: string | undefined): string {
  const lines = problems.slice(0, SHOWN_PROBLEMS).map(lineOf);
  const more = problems.length - lines.length;
  if (problems.length <= 1) return lines.join('') + (hint === undefined ? '' : ` (${hint})`);
  if (more > 0) lines.push(`and ${String(more)} more`);
  return [
    `${String(problems.length)} problems in the configuration:`,
    ...lines,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n  ');
}

function lineOf({ text, message, ...place }: ConfigProblem): string {
  return [sourceOf(place), ...(text === undefined ? [] : [text]), message].join(': ');
}

/** The place of a setting. */
export interface Place {
  /** The absolute path of the file; absent for the command line and the environment. */
  readonly file?: string;
  readonly variable?: string;
  /** From 1. */
  readonly line?: number;
  /** The part of the line, or of the argument, that a message may show after {@link masked}. */
  readonly written?: string;
}

/** The form in which `sources` names a place: `command line`, the name of a variable, or `/etc/endpoints.conf:3`. */
export function sourceOf({ file, variable = 'command line', line }: Omit<Place, 'written'>): string {
  return line === undefined ? (file ?? variable) : `${String(file)}:${String(line)}`;
}

/** A problem without any secret. */
export function problemAt({ written, ...position }: Place, message: string): ConfigProblem {
  return Object.freeze({ ...position, ...(written === undefined ? {} : { text: maskedQuote(written) }), message });
}

function maskedQuote(written: string): string {
  const text = masked(written);
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  return printable(JSON.stringify(cut));
}

/** A line, an argument or a value, with `***` for the user, password and query of its address. */
export function masked(written: string): string {
  const name = NAME.exec(written)?.[0] ?? '';
  const value = written.slice(name.length);
  return REFERENCES.test(value) ? written : name + withoutCredentials(value);
}
