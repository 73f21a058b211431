import { parseArgs } from 'node:util';
import { givenValue, type GivenValue, type Reading } from './given-value.js';
import { isSwitch, SERVER_OPTIONS, type SwitchName } from './option-table.js';
import { MAX_CHARACTERS } from './place.js';
import { unknownOption } from './unknown-option.js';

const OPTIONS = SERVER_OPTIONS.map(({ name }) => name);

/** What stands on a command line. */
export interface CommandLine {
  readonly given: readonly GivenValue[];
  readonly switches: ReadonlySet<SwitchName>;
}

/** Reads `--name VALUE` and `--name=VALUE`. */
export function readCommandLine(args: readonly string[], reading: Reading): CommandLine {
  const given: GivenValue[] = [];
  const switches = new Set<SwitchName>();

  for (const { name, dashedName, value, written } of writtenOptions(args, reading)) {
    const place = { written };
    const option = OPTIONS.find((known) => known === name);
    if (option === undefined) {
      reading.report(place, unknownOption(dashedName, OPTIONS, '--'));
    } else if (isSwitch(option)) {
      if (value === undefined) switches.add(option);
      else reading.report(place, 'the option takes no value');
    } else if (value === undefined) {
      reading.report(place, 'the option needs a value');
    } else {
      const read = givenValue(option, value, place, reading);
      if (read !== undefined) given.push(read);
    }
  }
  return { given, switches };
}

/** An option as it was written. */
interface WrittenOption {
  readonly name: string;
  /** The name with the dashes before it. */
  readonly dashedName: string;
  readonly value: string | undefined;
  /** The argument, and the one behind it if that is its value. */
  readonly written: string;
}

/** Puts each option and its value together; an argument that is neither is reported. */
function* writtenOptions(args: readonly string[], { report }: Reading): Generator<WrittenOption> {
  const tooLong = args.filter((argument) => argument.length > MAX_CHARACTERS);
  for (const written of tooLong)
    report({ written }, `the argument is longer than ${String(MAX_CHARACTERS)} characters`);
  if (tooLong.length > 0) return;

  // Only the switches are declared: an option of which `parseArgs` knows that it takes a value would take the next option for it.
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });

  for (const [position, token] of tokens.entries()) {
    const before = tokens[position - 1];
    const isFurtherLetter = before?.index === token.index;
    if (token.kind === 'option-terminator' || isFurtherLetter) continue;

    if (token.kind === 'option') {
      const argument = String(args[token.index]);
      const dashedName = argument.replace(/=.*/s, '');
      const next = tokens[position + 1];
      const { name, value } = token;
      if (value !== undefined || isSwitch(name) || next?.kind !== 'positional') {
        yield { name, dashedName, value, written: argument };
      } else {
        yield { name, dashedName, value: next.value, written: `${argument} ${next.value}` };
      }
    } else if (before?.kind !== 'option' || before.value !== undefined || isSwitch(before.name)) {
      report({ written: token.value }, 'the argument belongs to no option');
    }
  }
}
