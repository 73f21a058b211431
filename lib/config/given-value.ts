import type { EndpointSyntaxError } from '../endpoint/syntax-error.js';
import { withoutUserInfo, type Place } from './config-error.js';
import { TABLE, type ValueOptionName } from './options.js';
import { file, type ValueError } from './value-readers.js';

/** `@NAME@`, or `@@`. An `@` that is part of neither stays: `http@tcp://127.0.0.1` is an endpoint. */
const REFERENCE = /@([A-Za-z_]\w*)?@/g;

/** The variables that `@NAME@` stands for. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the values of a command line and of a file are read with. */
export interface Reading {
  readonly env: Environment;
  /** Where relative file names start. */
  readonly cwd: string;
  /** Takes note of one thing that is wrong, so that all are reported at once. */
  readonly report: (place: Place, message: string) => void;
  /** The same for a name that is no option, and for which there may be advice. */
  readonly reportUnknown: (place: Place, name: string, names: readonly string[]) => void;
  /** Takes note of an option of the reference server that has no use here. */
  readonly ignore: (name: string) => void;
}

/** A value that somebody gave an option, as a program uses it. */
export interface GivenValue {
  readonly name: ValueOptionName;
  /** `undefined` for an empty one: it leaves the option unset. */
  readonly value: unknown;
  readonly place: Place;
}

/**
 * Fills the environment in and reads the value; a refused one is reported, and is nothing.
 *
 * An empty value leaves an option unset, as in the reference server. It is refused in a list, where the reference server
 * refuses it too, and where it would change what the server is: a variable that is missing must not make a single server of
 * a Coordinator.
 */
export function givenValue(
  name: ValueOptionName,
  written: string,
  place: Place,
  { env, cwd, report, ignore }: Reading,
): GivenValue | undefined {
  const { needsValue, read, ignores } = TABLE.find((option) => option.name === name) ?? CONFIGURATION;
  const { text, unset } = fillIn(written, env);
  if (ignores?.(text) === true) {
    ignore(name);
    return undefined;
  }
  if (text === '') {
    if (!needsValue) return { name, value: undefined, place };
    report(place, `the value is empty${notSet(unset, written)}`);
    return undefined;
  }
  try {
    return { name, value: read(text, cwd), place };
  } catch (error) {
    const { message, reason } = error as EndpointSyntaxError | ValueError;
    // What was filled in may have torn the text around a password, so that it no longer looks like one.
    const canBeShown = text === written || (unset.length === 0 && withoutUserInfo(written) === written);
    report(place, canBeShown ? message : `the value is refused: ${reason}${notSet(unset, written)}`);
    return undefined;
  }
}

/** `none` is the name of no file, so it has no path either. */
const CONFIGURATION: Pick<(typeof TABLE)[number], 'needsValue' | 'read' | 'ignores'> = {
  needsValue: true,
  read: (text, cwd) => (isNone(text) ? text : file(text, cwd)),
};

/** Whether this stands in the place of a file's name to say that none is to be read. */
export function isNone(name: string): boolean {
  return name.toLowerCase() === 'none';
}

/** Puts variables in the place of `@NAME@`, and `@` in the place of `@@`. What a variable holds is not filled in again. */
function fillIn(written: string, env: Environment): { text: string; unset: readonly string[] } {
  const unset = new Set<string>();
  const text = written.replace(REFERENCE, (_, name: string | undefined) => {
    if (name === undefined) return '@';
    // A variable that an object inherits, as `constructor`, was set by nobody.
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    if (value === '') unset.add(name);
    return value;
  });
  return { text, unset: [...unset] };
}

/** Names the variables that were missing; one that stands where a password may stand is part of it. */
function notSet(unset: readonly string[], written: string): string {
  const visible = withoutUserInfo(written);
  const names = unset.map((name) => (visible.includes(`@${name}@`) ? name : '***'));
  return names.length === 0 ? '' : `; not set in the environment: ${names.join(', ')}`;
}
