import { MAX_CHARACTERS, type Place } from './config-error.js';
import { givenValue, type GivenValue, type Reading } from './given-value.js';
import { isReferenceOption } from './known-names.js';
import { isSwitch, SERVER_OPTIONS, type OptionName, type SwitchName } from './options.js';

const DASHED_NAMES = SERVER_OPTIONS.map(({ name }) => `--${name}`);
/** What may be written in place of `--name`. */
const OTHER_SPELLINGS: ReadonlyMap<string, OptionName> = new Map([
  ...SERVER_OPTIONS.flatMap(({ name, short }) => (short === undefined ? [] : [[`-${short}`, name] as const])),
  // As in the reference server.
  ['--config', 'configuration'],
]);
/** The name with its dashes, and the value behind `=`. */
const OPTION = /^(--?(?!$)[^=]*)(?:=(.*))?$/s;
/** What nobody would write for the value of another option. */
const CERTAINLY_A_NAME = /^--[a-z][-\w]*\.[a-z][-\w]*(?:=|$)/;

/** What stands on a command line. */
export interface CommandLine {
  readonly given: readonly GivenValue[];
  readonly switches: ReadonlySet<SwitchName>;
}

/**
 * Reads `--name VALUE` and `--name=VALUE`.
 *
 * What stands behind a name that is no option of ours is not shown: it may be a secret.
 */
export function readCommandLine(args: readonly string[], reading: Reading): CommandLine {
  const given: GivenValue[] = [];
  const switches = new Set<SwitchName>();
  let before: Written | undefined;

  for (const written of writtenOptions(args)) {
    const { argument, dashedName } = written;
    const option = dashedName === undefined ? undefined : optionOf(dashedName);
    if (option !== undefined) readOption(option, written, given, switches, reading);
    else if (dashedName?.startsWith('--') === true && isReferenceOption(dashedName.slice(2))) {
      reading.ignore(dashedName.slice(2));
    } else if (before !== undefined && !CERTAINLY_A_NAME.test(argument)) {
      reading.report({}, `unexpected argument after ${String(before.dashedName)}`);
      continue;
    } else if (dashedName === undefined) {
      reading.report({ written: argument }, tooLong(argument) ?? 'unexpected argument');
    } else {
      reading.reportUnknown({ written: dashedName }, dashedName, DASHED_NAMES);
    }
    before = option === undefined && dashedName !== undefined ? written : undefined;
  }
  return { given, switches };
}

/** One option with its value, or an argument that is neither. */
interface Written {
  readonly argument: string;
  readonly dashedName?: string | undefined;
  readonly value?: string | undefined;
  /** Whether the value is an argument of its own. */
  readonly apart?: boolean;
}

/**
 * Puts each option and its value together. Written by hand: `parseArgs` of Node takes the option in `--a --b` for a value of
 * the one before it, and splits `-server.endpoint` into letters.
 */
function* writtenOptions(args: readonly string[]): Generator<Written> {
  let onlyArguments = false;
  for (let position = 0; position < args.length; position += 1) {
    const argument = String(args[position]);
    if (argument === '--' && !onlyArguments) {
      onlyArguments = true;
      continue;
    }
    const [, dashedName, inside] = onlyArguments ? [] : (OPTION.exec(argument) ?? []);
    const option = dashedName === undefined ? undefined : optionOf(dashedName);
    const next = args[position + 1];
    const takesNext =
      dashedName !== undefined &&
      inside === undefined &&
      (option === undefined || !isSwitch(option)) &&
      next !== undefined &&
      next !== '--' &&
      !OPTION.test(next);
    if (takesNext) position += 1;
    yield { argument, dashedName, value: takesNext ? next : inside, apart: takesNext };
  }
}

function optionOf(dashedName: string): OptionName | undefined {
  const named = SERVER_OPTIONS.find(({ name }) => `--${name}` === dashedName)?.name;
  return named ?? OTHER_SPELLINGS.get(dashedName);
}

function readOption(
  option: OptionName,
  { argument, value, apart }: Written,
  given: GivenValue[],
  switches: Set<SwitchName>,
  reading: Reading,
): void {
  const place: Place = { written: apart === true ? `${argument} ${String(value)}` : argument };
  const own = apart === true ? String(value) : argument;
  const excess = tooLong(own);
  if (excess !== undefined) reading.report({ written: own }, excess);
  else if (isSwitch(option)) {
    if (value === undefined) switches.add(option);
    else reading.report(place, 'the option takes no value');
  } else if (value === undefined) {
    reading.report(place, 'the option needs a value');
  } else {
    const read = givenValue(option, value, place, reading);
    if (read !== undefined) given.push(read);
  }
}

function tooLong(argument: string): string | undefined {
  if (argument.length <= MAX_CHARACTERS) return undefined;
  return `the argument is longer than ${String(MAX_CHARACTERS)} characters`;
}
