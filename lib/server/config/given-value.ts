import type { EndpointSyntaxError } from '../../endpoint/syntax-error.js';
import { fillIn, type Environment } from './environment.js';
import type { ValueOptionName } from './option-table.js';
import type { Place, Report } from './place.js';
import { VALUE_READERS, type ValueError } from './value-readers.js';

/** A value that somebody gave an option, read and in its canonical form. */
export interface GivenValue {
  readonly name: ValueOptionName;
  readonly value: string;
  readonly place: Place;
}

/** What the values of a command line and of a file are read with. */
export interface Reading {
  readonly env: Environment;
  /** Where relative file names start. */
  readonly cwd: string;
  readonly report: Report;
}

/** Fills the environment in and reads the value; a refused one is reported, and is nothing. */
export function givenValue(
  name: ValueOptionName,
  written: string,
  place: Place,
  { env, report }: Reading,
): GivenValue | undefined {
  const { text, unset } = fillIn(written, env);
  const notSet = unset.length === 0 ? '' : `; not set in the environment: ${unset.join(', ')}`;
  if (text === '') {
    report(place, `the value is empty${notSet}`);
    return undefined;
  }
  try {
    return { name, value: VALUE_READERS[name](text), place };
  } catch (error) {
    const { message, reason } = error as EndpointSyntaxError | ValueError;
    // Where a variable was missing, the text around it is torn: a password in it would no longer look like one.
    report(place, notSet === '' ? message : `the value is refused: ${reason}${notSet}`);
    return undefined;
  }
}
