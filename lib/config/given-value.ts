import type { EndpointSyntaxError } from '../endpoint/syntax-error.js';
import { fillIn, type Environment } from './environment.js';
import type { ValueOptionName } from './option-table.js';
import type { Place, Report } from './place.js';
import { withoutUserInfo } from './user-info.js';
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
  if (text === '') {
    report(place, `the value is empty${notSet(unset, written)}`);
    return undefined;
  }
  try {
    return { name, value: VALUE_READERS[name](text), place };
  } catch (error) {
    const { message, reason } = error as EndpointSyntaxError | ValueError;
    // What was filled in may have torn the text around a password, so that it no longer looks like one.
    const canBeShown = text === written || (unset.length === 0 && withoutUserInfo(written) === written);
    report(place, canBeShown ? message : `the value is refused: ${reason}${notSet(unset, written)}`);
    return undefined;
  }
}

/** Names the variables that were missing; one that stands where a password may stand is part of it. */
function notSet(unset: readonly string[], written: string): string {
  const visible = withoutUserInfo(written);
  const names = unset.map((name) => (visible.includes(`@${name}@`) ? name : '***'));
  return names.length === 0 ? '' : `; not set in the environment: ${names.join(', ')}`;
}
