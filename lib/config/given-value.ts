import { chosenPart } from '../command-line/option.js';
import type { EndpointSyntaxError } from '../endpoint/endpoint.js';
import { masked, type Place } from './config-error.js';
import { FILES, TABLE, type ServerOption } from './option-table.js';
import type { HorizonOptionName, ValueOptionName } from './server-options.js';
import { horizonName, type ValueError } from './value-readers.js';

/** `@NAME@`, or `@@`. An `@` that is part of neither stays: `http@tcp://127.0.0.1` is an endpoint. */
const REFERENCE = /@([A-Za-z_]\w*)?@/g;

/** The variables for `@NAME@`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The context for reading values of a command line, of the environment and of a file. */
export interface Reading {
  readonly env: Environment;
  /** The folder of relative file names. */
  readonly cwd: string;
  /** Records one problem, so that all are reported at once. */
  readonly report: (place: Place, message: string) => void;
  /** Records an unrecognised name, with the option that was probably meant. */
  readonly reportUnknown: (place: Place, name: string, names: readonly string[]) => void;
  /** Records an option of the reference server that is ignored here. */
  readonly ignore: (name: string) => void;
}

/** The parsed value of an option from one place. */
export interface GivenValue {
  readonly name: ValueOptionName | HorizonOptionName;
  /** `undefined` for an empty one, which resets the option to its default. */
  readonly value: unknown;
  readonly place: Place;
}

/** The values in force, by the name of the option as given: at least one for each. */
export type ChosenValues = ReadonlyMap<GivenValue['name'], readonly GivenValue[]>;

/**
 * Substitutes variables and reads the value. Reports an invalid value, and returns `undefined`.
 *
 * An empty value resets an option to its default. If an unset variable has made it empty, lists and the role refuse it: a missing variable
 * must not turn a Coordinator into a single server.
 */
export function givenValue(
  name: GivenValue['name'],
  written: string,
  place: Place,
  { env, cwd, report, ignore }: Reading,
): GivenValue | undefined {
  const { option, chosen } = optionNamed(name);
  const { read, ignores, repeatable = false, mustNotVanish = repeatable } = option;
  const { text, unset } = fillIn(written, env);
  if (ignores?.(text) === true) {
    ignore(name);
    return undefined;
  }
  if (text === '') {
    if (unset.length === 0 || !mustNotVanish) return { name, value: undefined, place };
    report(place, `the value is empty${notSet(unset, written)}`);
    return undefined;
  }
  try {
    if (chosen !== undefined) horizonName(chosen);
    return { name, value: read(text, cwd), place };
  } catch (error) {
    const { message, reason } = error as EndpointSyntaxError | ValueError;
    // Substitution may have split the text around a password, so that it no longer looks like one.
    const canBeShown = text === written || (unset.length === 0 && masked(written) === written);
    report(place, canBeShown ? message : `the value is refused: ${reason}${notSet(unset, written)}`);
    return undefined;
  }
}

function optionNamed(name: GivenValue['name']) {
  const own = name.replace(/^horizon\.[^.]+/, 'horizon.NAME') as ValueOptionName;
  const all: Readonly<Record<ValueOptionName, Omit<ServerOption, 'field' | 'reload'>>> = { ...FILES, ...TABLE };
  return { option: all[own], chosen: chosenPart(name, own) };
}

/** Replaces `@NAME@` with a variable and `@@` with `@`. The value of a variable is not substituted again. */
function fillIn(written: string, env: Environment): { text: string; unset: readonly string[] } {
  const unset = new Set<string>();
  const text = written.replace(REFERENCE, (_, name: string | undefined) => {
    if (name === undefined) return '@';
    // An inherited property, such as `constructor`, is not a variable.
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    if (value === '') unset.add(name);
    return value;
  });
  return { text, unset: [...unset] };
}

/** Names the missing variables, except one in the place of a password. */
function notSet(unset: readonly string[], written: string): string {
  const visible = masked(written);
  const names = unset.map((name) => (visible.includes(`@${name}@`) ? name : '***'));
  return names.length === 0 ? '' : `; not set in the environment: ${names.join(', ')}`;
}
