import { chosenPart } from '../command-line/option.js';
import { tooLong, writtenArguments, wrongInForm, type Written } from '../command-line/read-command.js';
import { givenValue, type GivenValue, type Reading } from './given-value.js';
import { isReferenceOption } from './known-names.js';
import { COMMAND_LINE } from './option-table.js';
import type { OptionName, SwitchName } from './server-options.js';

const DASHED_NAMES = Object.keys(COMMAND_LINE).map((name) => `--${name}`);
/** A text that cannot be the value of another option. */
const CERTAINLY_A_NAME = /^--[a-z][-\w]*(?:\.[a-z][-\w]*){1,2}(?:=|$)/;

/** The contents of a command line. */
export interface CommandLine {
  readonly given: readonly GivenValue[];
  readonly switches: ReadonlySet<SwitchName>;
}

/** The value of an unrecognised option is not shown: it may be a secret. */
export function readCommandLine(args: readonly string[], reading: Reading): CommandLine {
  const line = { given: [] as GivenValue[], switches: new Set<SwitchName>() };
  let before: Written | undefined;

  for (const written of writtenArguments(args, COMMAND_LINE)) {
    const { argument, dashedName, name } = written;
    if (name !== undefined) readOption(name, written, line, reading);
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
    before = name === undefined && dashedName !== undefined ? written : undefined;
  }
  return line;
}

function readOption(
  name: OptionName,
  written: Written,
  line: { readonly given: GivenValue[]; readonly switches: Set<SwitchName> },
  reading: Reading,
): void {
  const { argument, dashedName, value, apart } = written;
  const [own, whole] = apart === true ? [String(value), `${argument} ${String(value)}`] : [argument, argument];
  const wrong = wrongInForm(written, COMMAND_LINE[name]);
  if (wrong !== undefined) reading.report({ written: tooLong(own) === undefined ? whole : own }, wrong);
  else if (name === 'help' || name === 'version') line.switches.add(name);
  else {
    const given = chosenPart(String(dashedName), `--${name}`) === undefined ? name : String(dashedName).slice(2);
    const read = givenValue(given as GivenValue['name'], String(value), { written: whole }, reading);
    if (read !== undefined) line.given.push(read);
  }
}
