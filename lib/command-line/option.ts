/** An option of a command, as a row of its table: parser, help and suggestions follow from it. */
export interface CommandOption {
  /** The letter after a single `-`. */
  readonly short?: string;
  /** Another name for it. */
  readonly alias?: string;
  /** The placeholder of the value in a help text: `ENDPOINT`. A switch has none. */
  readonly placeholder?: string;
  /** One line; the error for a missing value shows it as well. */
  readonly description: string;
  /** Whether each further value is added; otherwise the last one counts. */
  readonly repeatable?: boolean;
}

/** A table of options, by the names that follow `--`, in the order of a help text. */
export type CommandOptions<Name extends string = string> = Readonly<Record<Name, CommandOption>>;

/** The lines of a help text, one for each option. */
export function helpLines(options: CommandOptions): string[] {
  const rows = Object.entries(options).map(([name, option]) => [usageOf(name, option), option] as const);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(
    ([usage, { description, repeatable }]) =>
      `  ${usage.padEnd(width)}  ${description}${repeatable === true ? '; may be repeated' : ''}`,
  );
}

function usageOf(name: string, { short, placeholder }: CommandOption): string {
  const before = short === undefined ? '' : `-${short}, `;
  return `${before}--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`;
}

/** Stands in the name of an option, or of its variable, for a part that its user chooses: `horizon.NAME.network`. */
export const CHOSEN = /(?<=[._])NAME(?=[._])/;

/** What stands in a name where an option has its {@link CHOSEN} part; nothing unless it is a name of this option. */
export function chosenPart(name: string, option: string): string | undefined {
  const [before, after] = option.split(CHOSEN) as [string, string?];
  if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) return undefined;
  const part = name.slice(before.length, -after.length);
  return part === '' || part.includes('.') ? undefined : part;
}

/** The option with a name, given with its dashes. */
export function optionOf<Name extends string>(dashedName: string, options: CommandOptions<Name>): Name | undefined {
  const entries = Object.entries(options) as [Name, CommandOption][];
  return entries.find(
    ([name, { short, alias }]) =>
      dashedName === `--${name}` ||
      chosenPart(dashedName, `--${name}`) !== undefined ||
      (short !== undefined && dashedName === `-${short}`) ||
      (alias !== undefined && dashedName === `--${alias}`),
  )?.[0];
}

/** A function's message about its option `coordinators`, reworded for the command line with `--coordinators`. */
export function inOptionWords(message: string, options: CommandOptions): string {
  const [whole = '', field = ''] = /^\w+: option ([a-z]+(?:[A-Z][a-z]+)*)/.exec(message) ?? [];
  const name = field.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.hasOwn(options, name) ? `--${name}${message.slice(whole.length)}` : message;
}

/** A text that is not a number stays unchanged, for the error message. */
export function numberIn(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (text as unknown as number);
}
