import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';
import { type CommandOption, type CommandOptions, optionOf } from './option.js';

/** Longer than every endpoint and every path; bounds the work on hostile text. */
export const MAX_CHARACTERS = 4096;

/** The name with its dashes, and the value after `=`. */
const OPTION = /^(--?(?!$)[^=]*)(?:=(.*))?$/s;

/** One option with its value, or an argument that is neither. */
export interface Written<Name extends string = string> {
  readonly argument: string;
  /** The name as written, with its dashes; absent for an argument that is not an option. */
  readonly dashedName?: string | undefined;
  /** The option that it names, if there is one. */
  readonly name?: Name | undefined;
  readonly value?: string | undefined;
  /** Whether the value is a separate argument. */
  readonly apart?: boolean;
}

/**
 * Pairs each option with its value: `--name VALUE` and `--name=VALUE`. A possible value of an unknown name belongs to it.
 * Hand-written: Node's `parseArgs` takes the option in `--a --b` for a value of the one before it, and splits
 * `-server.endpoint` into letters.
 */
export function* writtenArguments<Name extends string>(
  args: readonly string[],
  options: CommandOptions<Name>,
): Generator<Written<Name>> {
  let onlyArguments = false;
  for (let position = 0; position < args.length; position += 1) {
    const argument = String(args[position]);
    if (argument === '--' && !onlyArguments) {
      onlyArguments = true;
      continue;
    }
    const [, dashedName, inside] = onlyArguments ? [] : (OPTION.exec(argument) ?? []);
    const name = dashedName === undefined ? undefined : optionOf(dashedName, options);
    const next = args[position + 1];
    const takesNext =
      dashedName !== undefined &&
      inside === undefined &&
      (name === undefined || options[name].placeholder !== undefined) &&
      next !== undefined &&
      next !== '--' &&
      !OPTION.test(next);
    if (takesNext) position += 1;
    yield { argument, dashedName, name, value: takesNext ? next : inside, apart: takesNext };
  }
}

/** What is wrong with the form of an option: its length, or a value that it has or lacks. */
export function wrongInForm(
  { argument, value, apart }: Written,
  { placeholder, description }: Pick<CommandOption, 'placeholder' | 'description'>,
): string | undefined {
  const excess = tooLong(apart === true ? String(value) : argument);
  if (excess !== undefined) return excess;
  if (placeholder === undefined) return value === undefined ? undefined : 'the option takes no value';
  return value === undefined ? `the option needs a value, ${placeholder}: ${description}` : undefined;
}

export function tooLong(argument: string): string | undefined {
  if (argument.length <= MAX_CHARACTERS) return undefined;
  return `the argument is longer than ${String(MAX_CHARACTERS)} characters`;
}

/** The value of each given option by its name: text, all texts of a repeatable one, or `true` for a switch. */
type CommandValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]?: Options[Name] extends { readonly placeholder: string }
    ? Options[Name] extends { readonly repeatable: true }
      ? readonly string[]
      : string
    : true;
};

/** The contents of a subcommand's command line. */
export interface ReadCommand<Options extends CommandOptions> {
  readonly values: CommandValues<Options>;
  /** Arguments that are neither an option nor the value of one. */
  readonly others: readonly string[];
  /** The first problem; the valid options decide how to report it. */
  readonly problem?: string | undefined;
}

/** Reads the command line of a subcommand. The value of an unrecognised option is not shown, since it may be a secret. */
export function readCommand<const Options extends CommandOptions>(
  args: readonly string[],
  options: Options,
): ReadCommand<Options> {
  const rows: Readonly<Record<keyof Options & string, CommandOption>> = options;
  const dashedNames = Object.keys(options).map((name) => `--${name}`);
  const values: Record<string, unknown> = {};
  const others: string[] = [];
  const problems: string[] = [];
  for (const written of writtenArguments(args, rows)) {
    const { argument, dashedName, name, value } = written;
    if (dashedName === undefined) others.push(argument);
    else if (name === undefined) problems.push(unknown('option', dashedName, dashedNames));
    else {
      const { placeholder, repeatable } = rows[name];
      const wrong = wrongInForm(written, rows[name]);
      if (wrong !== undefined) problems.push(`${shown(dashedName)}: ${wrong}`);
      // Also for `--json=yes`, so that the error is in JSON.
      if (placeholder === undefined) values[name] = true;
      else values[name] = repeatable === true ? [...((values[name] ?? []) as string[]), value] : value;
    }
  }
  return { values: values as CommandValues<Options>, others, problem: problems[0] };
}

/** The error for an unknown name, with the one that was probably meant. */
export function unknown(what: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return `unknown ${what} ${shown(name)}${nearest === undefined ? '' : `, did you mean ${nearest}?`}`;
}
