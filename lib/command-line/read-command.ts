import { nearestName } from '../text/nearest-name.js';
import { shown } from '../text/shown.js';
import type { CommandOption, CommandOptions } from './option.js';
import { writtenArguments, wrongInForm } from './written-arguments.js';

/** The value of each given option by its name: text, all texts of a repeatable one, or `true` for a switch. */
export type CommandValues<Options extends CommandOptions> = {
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
