/** An option of a command, as a row of its table: parser, help and suggestions follow from it. */
export interface CommandOption {
  /** The one letter that stands for it behind a single `-`. */
  readonly short?: string;
  /** Another name for it. */
  readonly alias?: string;
  /** The word that stands for the value in a help text: `ENDPOINT`. A switch has none, for it takes no value. */
  readonly placeholder?: string;
  /** One line; where a value is missing, it says which values there are. */
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

/** The option that a name with its dashes stands for. */
export function optionOf<Name extends string>(dashedName: string, options: CommandOptions<Name>): Name | undefined {
  const entries = Object.entries(options) as [Name, CommandOption][];
  return entries.find(
    ([name, { short, alias }]) =>
      dashedName === `--${name}` ||
      (short !== undefined && dashedName === `-${short}`) ||
      (alias !== undefined && dashedName === `--${alias}`),
  )?.[0];
}

/** What a function says of its option `coordinators`, in the words of the command that has `--coordinators`. */
export function inOptionWords(message: string, options: CommandOptions): string {
  const [whole = '', field = ''] = /^\w+: option ([a-z]+(?:[A-Z][a-z]+)*)/.exec(message) ?? [];
  const name = field.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.hasOwn(options, name) ? `--${name}${message.slice(whole.length)}` : message;
}

/** What is no number stays what it is, for the message that refuses it. */
export function numberIn(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (text as unknown as number);
}
